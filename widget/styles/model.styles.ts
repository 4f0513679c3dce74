import { css } from 'lit';

/** The model panel, and what a language model wrote. */
export const modelStyles = css`
  .model > summary {
    flex-wrap: wrap;
    padding-block: 0.5em;
  }
  .doing {
    flex: 1;
    font-size: 0.875em;
    font-weight: 400;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .numbers {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 1em;
    font-variant-numeric: tabular-nums;
  }
  .facts {
    display: flex;
    flex-direction: column;
    gap: 0.5em;
    margin: 0;
    font-size: 0.9375em;
  }
  .facts > div {
    display: grid;
    grid-template-columns: minmax(6em, 1fr) 3fr;
    gap: 0 0.75em;
  }
  .facts dt {
    color: var(--_muted);
  }
  .facts dd {
    min-inline-size: 0;
    margin: 0;
    overflow-wrap: anywhere;
  }
  .address {
    font-size: 0.875em;
    color: var(--_muted);
  }
  @container (max-width: 24em) {
    .facts > div {
      grid-template-columns: 1fr;
    }
  }
  .bar-fill.running {
    transform-box: fill-box;
    transition: none;
  }

  .reply {
    display: flex;
    flex-direction: column;
    gap: 0.5em;
    padding: 1em 1.125em;
    background: var(--_raised);
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
  }
  .reply-title {
    font-size: 0.875em;
    font-weight: 600;
    letter-spacing: 0;
    color: var(--_muted);
  }
  .reply > p {
    overflow-wrap: anywhere;
  }
  .own {
    color: var(--_muted);
    font-style: italic;
  }
  .own:lang(zh) {
    font-style: normal;
  }
  sup {
    line-height: 0;
  }
  .ref {
    display: inline-block;
    min-inline-size: 24px;
    font-weight: 600;
    line-height: 24px;
    text-align: center;
    text-decoration: none;
    color: var(--_accent);
  }
  .caret {
    display: inline-block;
    inline-size: 0.5em;
    block-size: 1em;
    margin-inline-start: 0.25em;
    vertical-align: -0.125em;
    background: var(--_control);
    border-radius: 2px;
  }
  .reply-sources {
    display: flex;
    flex-direction: column;
    gap: 0.75em;
    padding-inline-start: 1.5em;
  }
  .reply-sources li {
    overflow-wrap: anywhere;
  }
  .reply-sources li:focus {
    background: var(--_accent-soft);
    border-radius: 4px;
  }
  .reply .why > .hint {
    padding: 0 0 0.5em;
    background: none;
  }
  .analysis {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  /* Names of servers are long, and a phone is narrow. */
  [part='model-panel'] .button {
    max-inline-size: 100%;
    overflow-wrap: anywhere;
  }
  .thinking {
    display: flex;
    align-items: center;
    gap: 0.6em;
    color: var(--_muted);
  }
  .dots {
    inline-size: 0.75em;
    block-size: 0.75em;
    border-radius: 50%;
    background: var(--_accent);
  }
  @media (prefers-reduced-motion: no-preference) {
    .dots {
      animation: breathe 1.2s ease-in-out infinite alternate;
    }
    .bar-fill.running {
      animation: pass 2.4s ease-in-out infinite alternate;
    }
    .caret {
      animation: breathe 1.6s ease-in-out infinite alternate;
    }
    @keyframes pass {
      to {
        transform: translateX(233%);
      }
    }
    @keyframes breathe {
      to {
        opacity: 0.25;
      }
    }
  }
`;
