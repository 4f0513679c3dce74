import { html, svg, type TemplateResult } from 'lit';

const PATHS = {
  mark: svg`<path d="M4 12.5h3.2l2-5 3.6 10 2.4-7 1.4 2H20" />`,
  phone: svg`<path d="M6.6 3.8 9 3.2l1.6 4-1.9 1.5a12 12 0 0 0 6.6 6.6l1.5-1.9 4 1.6-.6 2.4c-.3 1.5-1.6 2.5-3.1 2.3C10 18.8 5.2 14 4.3 6.900c-.2-1.5.8-2.8 2.3-3.100Z" />`,
  lock: svg`<rect x="5" y="10.5" width="14" height="9.5" rx="2.5" /><path d="M8 10.500V8a4 4 0 0 1 8 0v2.5" />`,
  info: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 11v5M12 7.800v.2" />`,
  review: svg`<path d="M7 4h10v16H7zM10 9h4M10 13h4" />`,
  check: svg`<path d="m5.5 12.5 4.2 4.200L18.5 8" />`,
  cross: svg`<path d="m7 7 10 10M17 7 7 17" />`,
  alert: svg`<path d="M12 4 3.5 19h17L12 4ZM12 10v4.500M12 17v.2" />`,
  clock: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 7.500V12l3 2" />`,
  heart: svg`<path d="M12 19.500S4.5 15 4.5 9.700A3.9 3.9 0 0 1 12 8a3.9 3.9 0 0 1 7.5 1.700c0 5.3-7.5 9.8-7.5 9.800Z" />`,
  home: svg`<path d="m4 11.5 8-7 8 7M6.5 9.500V19.500h11V9.5" />`,
  calendar: svg`<rect x="4.5" y="6" width="15" height="13.5" rx="2" /><path d="M4.5 10.500h15M8.5 3.800V7M15.5 3.800V7" />`,
  globe: svg`<circle cx="12" cy="12" r="8.5" /><path d="M3.5 12h17M12 3.5c5 5 5 12 0 17c-5-5-5-12 0-17Z" />`,
  send: svg`<path d="M12 19V5.500M6 11l6-6 6 6" />`,
  chevron: svg`<path d="m7 10 5 5 5-5" />`,
};

export type IconName = keyof typeof PATHS;

/** A line icon of 24 units; decoration only, the words beside it say the same. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${PATHS[name]}</svg>`;
}
