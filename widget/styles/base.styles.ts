import { css } from 'lit';

/** Type, spacing, frame. */
export const baseStyles = css`
  h2, h3, h4, h5, p, ul, ol, blockquote, fieldset, figure {
    margin: 0;
    padding: 0;
  }
  h2 {
    font-size: 1.375em;
    line-height: 1.3;
    font-weight: 650;
    letter-spacing: -0.01em;
    text-wrap: balance;
  }
  h3 {
    font-size: 1.1875em;
    line-height: 1.35;
    font-weight: 650;
  }
  h4 {
    font-size: 1.0625em;
    line-height: 1.35;
    font-weight: 650;
  }
  h5 {
    margin-block-end: 0.25em;
    font-size: 0.875em;
    font-weight: 600;
    color: var(--_muted);
  }
  :lang(zh):is(h2, h3, h4) {
    letter-spacing: 0;
  }
  .display {
    font-size: 1.75em;
    line-height: 1.2;
  }
  .lead {
    font-size: 1.0625em;
    color: var(--_muted);
  }
  .hint, .small {
    font-size: 0.875em;
    color: var(--_muted);
  }
  .error {
    font-size: 0.9375em;
    color: var(--_danger);
  }
  .error:empty, .hint:empty {
    display: none;
  }
  .icon {
    flex: none;
    inline-size: 1.375em;
    block-size: 1.375em;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
    vertical-align: -0.3em;
  }
  .unseen {
    position: absolute !important;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .print-frame {
    position: fixed;
    inline-size: 0;
    block-size: 0;
    border: 0;
    visibility: hidden;
  }
  .stack {
    display: flex;
    flex-direction: column;
    gap: 0.875em;
  }
  .stack.tight {
    gap: 0.375em;
  }
  .stack.loose {
    gap: 1.375em;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.625em;
  }
  .grow {
    flex: 1;
  }
  .rule {
    border-block-start: 1px solid var(--_border);
  }
  :focus {
    outline: none;
  }
  :focus-visible, .choice:focus-within:has(:focus-visible) {
    outline: 3px solid var(--_accent);
    outline-offset: 2px;
  }
  :is(h2, h3, p, section)[tabindex='-1']:focus-visible {
    outline: none;
  }
  [data-focus] {
    scroll-margin-block: 1em;
  }

  .header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em 1em;
    padding: 0.75em 1.25em;
    border-block-end: 1px solid var(--_border);
  }
  .brand {
    display: inline-flex;
    align-items: center;
    gap: 0.5em;
    margin-inline-end: auto;
    font-weight: 650;
    color: var(--_text);
  }
  .brand .icon {
    inline-size: 1.75em;
    block-size: 1.75em;
    padding: 0.25em;
    color: var(--_on-accent);
    background: var(--_accent);
    border-radius: 0.5em;
  }
  .language {
    display: inline-flex;
    align-items: center;
    gap: 0.375em;
    min-block-size: 44px;
    padding: 0 0.875em;
    font: inherit;
    font-size: 0.9375em;
    color: var(--_text);
    background: none;
    border: 1px solid var(--_border);
    border-radius: 999px;
    cursor: pointer;
  }
  .body {
    display: flex;
    flex-direction: column;
    gap: 1.25em;
    padding: 1.25em;
  }
  .footer {
    display: flex;
    flex-direction: column;
    gap: 0.25em;
    padding: 0.75em 1.4286em 1em;
    font-size: 0.875em;
    color: var(--_muted);
    background: var(--_sunken);
    border-block-start: 1px solid var(--_border);
    border-end-start-radius: calc(var(--_radius) + 3px);
    border-end-end-radius: calc(var(--_radius) + 3px);
  }
  .footer .small {
    font-size: 0.9286em;
  }
  .privacy summary {
    display: flex;
    align-items: center;
    gap: 0.5em;
    min-block-size: 44px;
    font-weight: 600;
    color: var(--_good);
    list-style: none;
    cursor: pointer;
  }
  .privacy p {
    padding-block-end: 0.5em;
  }
  .saved {
    color: var(--_text);
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary .icon:last-child {
    inline-size: 1.125em;
    block-size: 1.125em;
    transition: rotate 0.15s;
  }
  details[open] > summary .icon:last-child {
    rotate: 180deg;
  }

  .notes {
    display: flex;
    flex-direction: column;
    gap: 0.5em;
  }
  .note {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.75em;
    padding: 0.625em 0.875em;
    font-size: 0.9375em;
    background: var(--_accent-soft);
    border: 1px solid var(--_accent-line);
    border-radius: var(--_radius);
  }
  .note.warn {
    background: var(--_warn-soft);
    border-color: var(--_warn-line);
  }
  .note.error-note {
    background: var(--_danger-soft);
    border-color: var(--_danger-line);
  }
  @container (min-width: 36em) {
    .header, .body {
      padding-inline: 2em;
    }
    .footer {
      padding-inline: 2.2857em;
    }
    .body {
      padding-block: 2em;
    }
    h2 {
      font-size: 1.5em;
    }
    .display {
      font-size: 2.125em;
    }
  }
  @media (prefers-reduced-motion: no-preference) {
    .body > * {
      animation: appear 0.2s ease-out;
    }
    @keyframes appear {
      from {
        opacity: 0;
      }
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
      animation: none !important;
    }
  }
`;
