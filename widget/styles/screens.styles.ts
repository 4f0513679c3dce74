import { css } from 'lit';

/** The screens from consent to question, and the emergency card. */
export const screenStyles = css`
  .first-aid {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.75em;
    padding: 0.75em 1em;
    color: var(--_text);
    background: var(--_danger-soft);
    border: 1px solid var(--_danger-line);
    border-radius: var(--_radius);
  }
  .first-aid > .icon {
    color: var(--_danger);
  }
  .first-aid p {
    flex: 1 1 14em;
    font-size: 0.9375em;
  }
  .first-aid .button {
    min-block-size: 44px;
  }
  .intro {
    display: flex;
    flex-direction: column;
    gap: 0.75em;
    padding-block-start: 0.5em;
  }
  .points {
    display: grid;
    gap: 0.875em;
    padding: 1em;
    list-style: none;
    background: var(--_sunken);
    border-radius: var(--_radius);
  }
  .point {
    display: flex;
    gap: 0.875em;
  }
  .point > .icon {
    margin-block-start: 0.125em;
    color: var(--_accent);
  }
  .point strong {
    display: block;
    font-weight: 650;
  }
  .point span {
    font-size: 0.9375em;
    color: var(--_muted);
  }
  .loading {
    padding-block: 3em;
    text-align: center;
  }
  .bar {
    display: block;
    inline-size: 100%;
    block-size: 6px;
    background: var(--_border);
    border-radius: 3px;
    overflow: hidden;
  }
  .bar-fill {
    fill: var(--_accent);
    transition: width 0.2s;
  }
  .progress {
    display: flex;
    flex-direction: column;
    gap: 0.5em;
    font-size: 0.875em;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .progress .bar {
    block-size: 4px;
  }
  .why summary {
    display: inline-flex;
    align-items: center;
    gap: 0.25em;
    min-block-size: 44px;
    font-size: 0.9375em;
    font-weight: 600;
    color: var(--_accent);
    list-style: none;
    cursor: pointer;
  }
  .why > p {
    padding: 0.75em 1em;
    font-size: 0.9375em;
    background: var(--_sunken);
    border-radius: var(--_radius);
  }
  .callout {
    padding: 0.875em 1em;
    background: var(--_danger-soft);
    border: 1px solid var(--_danger-line);
    border-radius: var(--_radius);
  }

  .alarm {
    display: flex;
    flex-direction: column;
    gap: 0.75em;
    padding: 1.125em;
    background: var(--_danger-soft);
    border: 1px solid var(--_danger-line);
    border-inline-start: 5px solid var(--_danger);
    border-radius: var(--_radius);
  }
  .alarm h2 {
    display: flex;
    align-items: flex-start;
    gap: 0.4em;
    font-size: 1.1875em;
    color: var(--_danger);
  }
  .alarm.urgent {
    background: var(--_warn-soft);
    border-color: var(--_warn-line);
    border-inline-start-color: var(--_warn);
  }
  .alarm.urgent h2 {
    color: var(--_warn);
  }
  .alarm.crisis {
    background: var(--_crisis-soft);
    border-color: var(--_crisis-line);
    border-inline-start-color: var(--_crisis);
  }
  .alarm.crisis h2 {
    color: var(--_crisis);
  }
  .alarm.crisis .button.primary {
    color: var(--_surface);
    background: var(--_crisis);
    border-color: var(--_crisis);
  }
  .flag {
    display: flex;
    flex-direction: column;
    gap: 0.125em;
  }
  .more-flags > .flag {
    padding-block: 0.75em;
    border-block-start: 1px solid var(--_danger-line);
  }
  .alarm .why summary {
    color: inherit;
  }
  .flag-what {
    font-weight: 650;
  }
  .calls {
    display: flex;
    flex-wrap: wrap;
    gap: 0.625em;
  }
  .call-words {
    font-size: 1.0625em;
    font-weight: 650;
  }

  .profile-line {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.75em;
    border-block-end: 1px solid var(--_border);
  }
  .fold {
    background: var(--_sunken);
    border-radius: var(--_radius);
  }
  .fold > summary {
    display: flex;
    align-items: center;
    gap: 0.5em;
    min-block-size: 52px;
    padding: 0 1em;
    font-weight: 600;
    list-style: none;
    border-radius: var(--_radius);
    cursor: pointer;
  }
  .fold > summary .icon {
    margin-inline-start: auto;
  }
  .fold > :not(summary) {
    margin-inline: 1em;
  }
  .fold > :last-child {
    margin-block-end: 1em;
  }
  .count {
    min-inline-size: 1.75em;
    padding: 0 0.5em;
    font-size: 0.8125em;
    text-align: center;
    color: var(--_muted);
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: 999px;
  }
  .rounds, .understood {
    list-style: none;
  }
  .rounds > li + li, .understood > li + li {
    border-block-start: 1px solid var(--_border);
  }
  .round {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 1em;
    padding-block: 0.5em;
  }
  .asked {
    font-size: 0.875em;
    color: var(--_muted);
  }
  .asked.strong {
    font-size: 1em;
    font-weight: 600;
    color: var(--_text);
  }
  .given {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .editing {
    padding-block: 1em;
  }
  .understood > li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5em 1em;
    padding-block: 0.5em;
  }
  .understood > li > :first-child {
    flex: 1 1 11em;
  }
  .finding {
    font-weight: 600;
  }
  q {
    overflow-wrap: anywhere;
  }
  .segmented {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25em;
  }
  .segment {
    min-block-size: 44px;
    padding: 0 0.75em;
    font: inherit;
    font-size: 0.875em;
    color: var(--_muted);
    background: none;
    border: 1px solid var(--_border);
    border-radius: 10px;
    cursor: pointer;
  }
  .segment:hover {
    border-color: var(--_control);
  }
  .segment[aria-pressed='true'] {
    font-weight: 600;
    color: var(--_text);
    background: var(--_surface);
    border-color: var(--_control);
  }
`;
