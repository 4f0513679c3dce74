/* What a host page's own copy of Lit does first. */
globalThis.trustedTypes?.createPolicy('lit-html', { createHTML: (html) => html });
