/** What the element offers to its own parts only. */
const INTERNAL = new Set(['settings', 'changed', 'cleared', 'emit', 'styles', 'properties']);

/** Builds `dist/custom-elements.json` from the element's class doc: `npx cem analyze --config widget/custom-elements-manifest.config.mjs`. */
export default {
  globs: ['widget/element.ts'],
  outdir: 'dist',
  litelement: true,
  packagejson: false,
  plugins: [
    {
      // The analyzer passes over fields that are only declared, as Lit's are here.
      name: 'declared-properties',
      analyzePhase({ ts, node, moduleDoc }) {
        if (!ts.isClassDeclaration(node)) return;
        const declaration = moduleDoc.declarations.find((one) => one.name === node.name?.getText());
        if (declaration === undefined) return;
        declaration.declaredFields = node.members
          .filter((member) => ts.isPropertyDeclaration(member) && member.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DeclareKeyword))
          .map((member) => {
            const doc = member.jsDoc?.at(-1);
            const tag = doc?.tags?.find((one) => one.tagName.getText() === 'default');
            return { kind: 'field', name: member.name.getText(), type: { text: member.type.getText() }, description: String(doc?.comment ?? ''), default: String(tag?.comment ?? '') };
          });
      },
    },
    {
      name: 'public-surface-only',
      packageLinkPhase({ customElementsManifest }) {
        for (const module of customElementsManifest.modules) {
          module.declarations = module.declarations.filter((declaration) => declaration.customElement === true);
          for (const declaration of module.declarations) {
            const { declaredFields, ...rest } = declaration;
            for (const key of Object.keys(declaration)) delete declaration[key];
            Object.assign(declaration, rest, {
              tagName: 'anamnesis-chat',
              events: rest.events.filter((event) => event.name.startsWith('anamnesis-')),
              attributes: rest.attributes.map((attribute) => {
                const { description, type, default: standard } = declaredFields.find((field) => field.name === attribute.fieldName);
                return { ...attribute, description, type, default: standard };
              }),
              members: [
                ...declaredFields.map((field) => ({ ...field, attribute: rest.attributes.find((attribute) => attribute.fieldName === field.name)?.name })),
                ...rest.members.filter((member) => !member.name.startsWith('#') && member.privacy === undefined && !INTERNAL.has(member.name)),
              ],
            });
          }
        }
      },
    },
  ],
};
