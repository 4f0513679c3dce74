import { AnamnesisChat } from './element.js';
import { VERSION } from './version.js';

/** The tag. */
export const TAG_NAME = 'anamnesis-chat';

/** Registers the tag. Where a copy of Anamnesis has done so already, that one stays and a warning names both versions. */
export function defineAnamnesisChat(): void {
  const first = customElements.get(TAG_NAME) as (CustomElementConstructor & { readonly version?: string }) | undefined;
  if (first === undefined) customElements.define(TAG_NAME, AnamnesisChat);
  else if (first !== AnamnesisChat) console.warn(`<${TAG_NAME}> is defined already: version ${first.version ?? 'unknown'} stays, version ${VERSION} is not used.`);
}
