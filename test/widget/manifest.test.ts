import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { AnamnesisChat } from '../../widget/element.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const widget = join(root, 'widget');

/** All sources of the widget as one text, apart from the class doc. */
const sources = readdirSync(widget, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(widget, name), 'utf8').replace(/^ \* .*$/gm, ''))
  .join('\n');

const found = (pattern: RegExp): string[] => [...new Set([...sources.matchAll(pattern)].map((match) => match[1] ?? ''))].sort();

interface Declaration {
  readonly tagName: string;
  readonly attributes: readonly { readonly name: string; readonly description: string }[];
  readonly members: readonly { readonly name: string }[];
  readonly events: readonly { readonly name: string; readonly description: string }[];
  readonly slots: readonly { readonly name: string }[];
  readonly cssParts: readonly { readonly name: string }[];
  readonly cssProperties: readonly { readonly name: string }[];
}

let declaration: Declaration;

beforeAll(() => {
  const out = mkdtempSync(join(tmpdir(), 'anamnesis-manifest-'));
  const run = spawnSync(process.execPath, [join(root, 'node_modules/@custom-elements-manifest/analyzer/cem.js'), 'analyze', '--config', 'widget/custom-elements-manifest.config.mjs', '--outdir', relative(root, out)], { cwd: root, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  const manifest = JSON.parse(readFileSync(join(out, 'custom-elements.json'), 'utf8')) as { modules: { declarations: Declaration[] }[] };
  rmSync(out, { recursive: true, force: true });
  declaration = manifest.modules.flatMap((module) => module.declarations)[0] as Declaration;
}, 60_000);

const names = (list: readonly { readonly name: string }[]): string[] => list.map((one) => one.name).sort();

describe('custom-elements manifest', () => {
  it('describes the tag', () => {
    expect(declaration.tagName).toBe('anamnesis-chat');
  });

  it('names every attribute, each with what it means', () => {
    const observed = Object.entries(AnamnesisChat.properties as Record<string, { attribute?: string | boolean }>).flatMap(([name, options]) => (options.attribute === false ? [] : [options.attribute ?? name]));
    expect(names(declaration.attributes)).toEqual(observed.sort());
    expect(declaration.attributes.filter((attribute) => attribute.description === '')).toEqual([]);
  });

  it('names every event that is dispatched, and no other', () => {
    expect(names(declaration.events)).toEqual(found(/emit\(\s*'(anamnesis-[a-z-]+)'/g));
    expect(names(declaration.events)).toEqual(found(/^ {2}'(anamnesis-[a-z-]+)':/gm));
  });

  it('names every slot, and no other', () => {
    expect(names(declaration.slots)).toEqual(found(/<slot name="([a-z-]+)"/g));
  });

  it('names every part, and no other', () => {
    const parts = [...new Set(found(/ part="([a-z -]+)"/g).flatMap((value) => value.split(' ')))].sort();
    expect(names(declaration.cssParts)).toEqual(parts);
  });

  it('names every custom property, and no other', () => {
    expect(names(declaration.cssProperties)).toEqual(found(/var\((--anamnesis-[a-z-]+)/g));
  });

  it('names the public methods and nothing private', () => {
    const members = names(declaration.members);
    for (const name of ['start', 'send', 'answer', 'conclude', 'reset', 'erase', 'exportJson', 'focus', 'state', 'lang', 'knowledge']) expect(members).toContain(name);
    expect(members.filter((name) => name.startsWith('#') || name === 'emit')).toEqual([]);
  });
});
