import { css } from 'lit';

/** Buttons, fields, cards to choose. Touch targets are at least 48 px where they answer, 44 px elsewhere. */
export const controlStyles = css`
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5em;
    min-block-size: 48px;
    padding: 0.5em 1.25em;
    font: inherit;
    font-weight: 600;
    line-height: 1.3;
    text-align: center;
    text-decoration: none;
    color: var(--_text);
    background: var(--_raised);
    border: 1px solid var(--_control);
    border-radius: var(--_radius);
    cursor: pointer;
    touch-action: manipulation;
    transition: background-color 0.12s, border-color 0.12s;
  }
  @media (hover: hover) {
    .button:hover {
      background: var(--_accent-soft);
      border-color: var(--_accent);
    }
  }
  .button.primary {
    color: var(--_on-accent);
    background: var(--_accent);
    border-color: var(--_accent);
  }
  @media (hover: hover) {
    .button.primary:hover {
      background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
    }
  }
  .button.danger {
    color: var(--_on-danger);
    background: var(--_danger);
    border-color: var(--_danger);
  }
  @media (hover: hover) {
    .button.danger:hover {
      background: color-mix(in srgb, var(--_danger) 86%, var(--_text));
    }
  }
  .button.plain-danger {
    color: var(--_danger);
  }
  @media (hover: hover) {
    .button.plain-danger:hover {
      background: var(--_danger-soft);
      border-color: var(--_danger);
    }
  }
  .button.wide {
    inline-size: 100%;
  }
  .link {
    flex: none;
    min-block-size: 44px;
    min-inline-size: 44px;
    padding: 0 0.25em;
    font: inherit;
    font-size: 0.9375em;
    font-weight: 600;
    color: var(--_accent);
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 0.2em;
    background: none;
    border: 0;
    border-radius: 8px;
    cursor: pointer;
  }
  .icon-button {
    flex: none;
    display: grid;
    place-items: center;
    inline-size: 44px;
    block-size: 44px;
    margin: -0.5em;
    padding: 0;
    color: inherit;
    background: none;
    border: 0;
    border-radius: 50%;
    cursor: pointer;
  }

  fieldset {
    min-inline-size: 0;
    border: 0;
  }
  .field {
    display: flex;
    flex-direction: column;
    gap: 0.375em;
  }
  .field > label, .field > legend, .composer > label {
    font-weight: 600;
  }
  .field > legend {
    margin-block-end: 0.375em;
  }
  .input, textarea {
    font: inherit;
    /* iOS zooms on fields below 16 px. */
    font-size: max(16px, 1em);
    line-height: 1.5;
    color: var(--_text);
    background: var(--_raised);
    border: 1px solid var(--_control);
    border-radius: var(--_radius);
  }
  .input {
    min-block-size: 52px;
    inline-size: 100%;
    padding: 0.5em 0.875em;
  }
  .input.short {
    inline-size: 4.5em;
    font-size: 1.25em;
    font-variant-numeric: tabular-nums;
  }
  [aria-invalid='true'] {
    border-color: var(--_danger);
    border-width: 2px;
  }
  .joined {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.75em;
  }
  .unit {
    font-size: 1.125em;
    color: var(--_muted);
  }

  .segments {
    display: flex;
    flex-wrap: wrap;
    gap: 0.625em;
  }
  .segments > .choice {
    flex: 1 1 auto;
  }
  .segments.small {
    gap: 0;
  }
  .segments.small > .choice {
    flex: none;
    padding-inline: 0.875em;
  }
  .segments.small > .choice:first-of-type {
    border-start-end-radius: 0;
    border-end-end-radius: 0;
  }
  .segments.small > .choice:last-of-type {
    margin-inline-start: -1px;
    border-start-start-radius: 0;
    border-end-start-radius: 0;
  }
  .segments.small input {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    opacity: 0;
    cursor: pointer;
  }
  .choice {
    position: relative;
    display: flex;
    align-items: center;
    gap: 0.75em;
    min-block-size: 56px;
    padding: 0.625em 1em;
    background: var(--_raised);
    border: 1px solid var(--_control);
    border-radius: var(--_radius);
    cursor: pointer;
    touch-action: manipulation;
    transition: background-color 0.12s, border-color 0.12s;
  }
  .choice.compact {
    min-block-size: 52px;
    padding: 0.5em 0.875em;
    gap: 0.625em;
  }
  .choice.quiet {
    border-color: var(--_border);
    background: none;
  }
  @media (hover: hover) {
    .choice:hover {
      border-color: var(--_accent);
    }
  }
  .choice:has(:checked) {
    font-weight: 600;
    background: var(--_accent-soft);
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }
  .choice input, .tick input {
    flex: none;
    inline-size: 1.375em;
    block-size: 1.375em;
    margin: 0;
    accent-color: var(--_accent);
  }
  .cards {
    display: flex;
    flex-direction: column;
    gap: 0.5em;
  }
  .tick {
    display: flex;
    gap: 0.75em;
    padding: 0.75em 0;
    cursor: pointer;
  }
  .tick small {
    display: block;
    font-size: 0.875em;
    color: var(--_muted);
  }
  .answers {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0.625em;
  }
  .button.answer {
    min-block-size: 60px;
    font-size: 1.0625em;
  }
  .button.answer.quiet {
    grid-column: 1 / -1;
    min-block-size: 52px;
    font-weight: 500;
    border-color: var(--_border);
    background: none;
  }
  @media (hover: hover) {
    .button.answer:hover {
      background: var(--_accent-soft);
    }
  }
  .button[aria-pressed='true'] {
    background: var(--_accent-soft);
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }

  @media (forced-colors: active) {
    .choice:has(:checked), .button[aria-pressed='true'], .segment[aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
    .bar {
      border: 1px solid CanvasText;
    }
    .bar .bar-fill {
      fill: Highlight;
    }
    .button.primary, .button.danger {
      border-width: 2px;
    }
  }
`;
