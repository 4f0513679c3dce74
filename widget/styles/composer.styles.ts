import { css } from 'lit';

/** The box for the visitor's own words, with its suggestions. */
export const composerStyles = css`
  .composer {
    display: flex;
    flex-direction: column;
    gap: 0.5em;
  }
  .box {
    display: flex;
    align-items: flex-end;
    gap: 0.5em;
    padding: 0.375em;
    background: var(--_raised);
    border: 1px solid var(--_control);
    border-radius: calc(var(--_radius) + 2px);
  }
  .box:focus-within {
    border-color: var(--_accent);
    box-shadow: 0 0 0 2px var(--_accent);
  }
  .box:has([aria-invalid='true']) {
    border-color: var(--_danger);
  }
  .box textarea {
    flex: 1;
    min-inline-size: 0;
    min-block-size: 48px;
    max-block-size: 16em;
    padding: 0.6875em 0.625em;
    field-sizing: content;
    resize: none;
    background: none;
    border: 0;
    outline: none;
  }
  .large .box textarea {
    min-block-size: 7.5em;
  }
  .send {
    flex: none;
  }
  .composer:not(.large) .send {
    inline-size: 48px;
    padding: 0;
  }
  .composer:not(.large) .send span {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .suggestions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }
  .chip {
    min-block-size: 44px;
    padding: 0.375em 0.875em;
    font: inherit;
    font-size: 0.9375em;
    line-height: 1.35;
    text-align: start;
    color: var(--_accent);
    background: var(--_accent-soft);
    border: 1px solid var(--_accent-line);
    border-radius: 22px;
    cursor: pointer;
  }
  .chip.example {
    color: var(--_text);
    background: none;
    border-color: var(--_border);
  }
  @media (hover: hover) {
    .chip:hover {
      border-color: var(--_accent);
    }
  }
  @container (max-width: 26em) {
    .large .send {
      inline-size: 48px;
      padding: 0;
    }
    .large .send span {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
  }
  @media (pointer: coarse) {
    .keys-hint {
      display: none;
    }
  }
`;
