import { css } from 'lit';

/** Colours by day; every one can be set by the host page. Text and its ground keep a contrast of at least 4.5 to 1. */
const light = css`
  --_accent: var(--anamnesis-color-accent, #0b6468);
  --_on-accent: var(--anamnesis-color-on-accent, #ffffff);
  --_accent-soft: #e4f1f0;
  --_accent-line: #9cc9c8;
  --_surface: var(--anamnesis-color-surface, #ffffff);
  --_raised: #ffffff;
  --_sunken: var(--anamnesis-color-sunken, #f3f7f7);
  --_text: var(--anamnesis-color-text, #14272d);
  --_muted: var(--anamnesis-color-muted, #4c6067);
  --_border: var(--anamnesis-color-border, #d3dfe0);
  --_control: #7b8f95;
  --_danger: var(--anamnesis-color-danger, #b3261e);
  --_on-danger: #ffffff;
  --_danger-soft: #fdf0ee;
  --_danger-line: #efb8b2;
  --_warn: #7a4b00;
  --_warn-soft: #fdf4e2;
  --_warn-line: #e8cb94;
  --_good: #1d6335;
  --_good-soft: #e9f5ec;
  --_good-line: #a9d3b5;
  --_crisis: #4a3f86;
  --_crisis-soft: #f2f0fb;
  --_crisis-line: #c6bdec;
  --_shadow: 0 1px 2px rgb(20 39 45 / 6%), 0 8px 28px rgb(20 39 45 / 7%);
  color-scheme: light;
`;

const dark = css`
  --_accent: var(--anamnesis-color-accent, #79cdc9);
  --_on-accent: var(--anamnesis-color-on-accent, #04282a);
  --_accent-soft: #16343a;
  --_accent-line: #33666a;
  --_surface: var(--anamnesis-color-surface, #10191c);
  --_raised: #172327;
  --_sunken: var(--anamnesis-color-sunken, #182428);
  --_text: var(--anamnesis-color-text, #e7eff0);
  --_muted: var(--anamnesis-color-muted, #a5b7bb);
  --_border: var(--anamnesis-color-border, #2d3d42);
  --_control: #7f9499;
  --_danger: var(--anamnesis-color-danger, #ffb3aa);
  --_on-danger: #47100b;
  --_danger-soft: #35191a;
  --_danger-line: #7b3a37;
  --_warn: #f3c77d;
  --_warn-soft: #2e2616;
  --_warn-line: #685429;
  --_good: #95d6a8;
  --_good-soft: #172b1e;
  --_good-line: #3a6447;
  --_crisis: #cbc2f7;
  --_crisis-soft: #241f3a;
  --_crisis-line: #564c85;
  --_shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 8px 28px rgb(0 0 0 / 30%);
  color-scheme: dark;
`;

/** The host's box, and a shell on which nothing of the host page's style is inherited. */
export const tokenStyles = css`
  :host {
    display: block;
    inline-size: 100%;
    max-inline-size: var(--anamnesis-max-width, 720px);
  }
  :host([hidden]) {
    display: none;
  }
  .shell {
    all: initial;
    ${light}
    display: block;
    box-sizing: border-box;
    container-type: inline-size;
    overflow-wrap: break-word;
    font-family: var(--anamnesis-font-family, system-ui, -apple-system, 'Segoe UI', Roboto, 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif);
    font-size: var(--anamnesis-font-size, 16px);
    line-height: 1.55;
    color: var(--_text);
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) + 4px);
    box-shadow: var(--_shadow);
    --_radius: var(--anamnesis-radius, 14px);
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
  }
  @media (prefers-color-scheme: dark) {
    .shell.auto {
      ${dark}
    }
  }
  .shell.dark {
    ${dark}
  }
  .shell *,
  .shell *::before,
  .shell *::after {
    box-sizing: border-box;
  }
  .shell:lang(zh) {
    line-height: 1.65;
  }
`;
