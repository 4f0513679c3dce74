import { css } from 'lit';

/** The result. */
export const resultStyles = css`
  .banner {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: 0.625em;
    padding: 1.25em;
    border: 1px solid;
    border-radius: var(--_radius);
  }
  .banner-title {
    display: flex;
    align-items: flex-start;
    gap: 0.5em;
    font-size: 1.375em;
    line-height: 1.3;
  }
  .banner .why {
    inline-size: 100%;
  }
  .banner .why summary {
    color: inherit;
  }
  .banner.emergency {
    background: var(--_danger-soft);
    border-color: var(--_danger-line);
  }
  .banner.emergency :is(.banner-title, summary) {
    color: var(--_danger);
  }
  .banner.crisis {
    background: var(--_crisis-soft);
    border-color: var(--_crisis-line);
  }
  .banner.crisis .banner-title {
    color: var(--_crisis);
  }
  .banner.urgent {
    background: var(--_warn-soft);
    border-color: var(--_warn-line);
  }
  .banner.urgent :is(.banner-title, summary) {
    color: var(--_warn);
  }
  .banner.routine {
    background: var(--_accent-soft);
    border-color: var(--_accent-line);
  }
  .banner.routine :is(.banner-title, summary) {
    color: var(--_accent);
  }
  .banner.self-care {
    background: var(--_good-soft);
    border-color: var(--_good-line);
  }
  .banner.self-care :is(.banner-title, summary) {
    color: var(--_good);
  }
  .reasons, .sources, .bullets {
    display: flex;
    flex-direction: column;
    gap: 0.375em;
    padding-inline-start: 1.25em;
  }
  cite {
    display: block;
    font-size: 0.875em;
    font-style: normal;
    color: var(--_muted);
  }
  .candidates {
    display: flex;
    flex-direction: column;
    gap: 0.875em;
    list-style: none;
  }
  .candidate {
    display: flex;
    flex-direction: column;
    gap: 0.875em;
    padding: 1.125em;
    background: var(--_raised);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
  }
  .candidate header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 0.25em 1em;
  }
  .candidate header > :first-child {
    flex: 1 1 12em;
  }
  .fit {
    display: flex;
    align-items: baseline;
    gap: 0.5em;
    font-size: 0.9375em;
    font-variant-numeric: tabular-nums;
  }
  .fit span {
    color: var(--_muted);
  }
  .bar-fill.moderate {
    fill: color-mix(in srgb, var(--_accent) 75%, var(--_border));
  }
  .bar-fill.weak {
    fill: var(--_control);
  }
  .evidence {
    display: flex;
    flex-direction: column;
    gap: 0.625em;
    list-style: none;
  }
  .evidence li {
    display: flex;
    gap: 0.5em;
  }
  .evidence .icon {
    inline-size: 1.25em;
    block-size: 1.25em;
    margin-block-start: 0.15em;
  }
  .evidence .for .icon {
    color: var(--_good);
  }
  .evidence .against .icon {
    color: var(--_muted);
  }
  .evidence .finding {
    font-weight: 500;
  }
  .fits {
    display: flex;
    gap: 0.5em;
    font-size: 0.9375em;
  }
  .fits .hint {
    font-size: 1em;
  }
  .fits .icon {
    inline-size: 1.25em;
    block-size: 1.25em;
    margin-block-start: 0.15em;
    color: var(--_good);
  }
  blockquote {
    margin-block-start: 0.25em;
    padding-inline-start: 0.75em;
    font-size: 0.9375em;
    color: var(--_muted);
    border-inline-start: 2px solid var(--_border);
  }
  .mark {
    display: inline-flex;
    align-items: center;
    gap: 0.375em;
    align-self: flex-start;
    padding: 0.125em 0.625em;
    font-size: 0.8125em;
    color: var(--_muted);
    background: var(--_sunken);
    border-radius: 999px;
  }
  .mark .icon {
    inline-size: 1.125em;
    block-size: 1.125em;
  }
  .actions {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(9em, 1fr));
    gap: 0.625em;
    padding-block-start: 1.25em;
    border-block-start: 1px solid var(--_border);
  }
  .confirm {
    grid-column: 1 / -1;
    display: flex;
    flex-direction: column;
    gap: 0.75em;
    padding: 1em;
    background: var(--_danger-soft);
    border: 1px solid var(--_danger-line);
    border-radius: var(--_radius);
  }
  .title {
    font-size: 1.375em;
  }
`;
