import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../bundles.js';

/** One import statement of one file. */
export interface Import {
  /** Paths from the top of the repository; a package by its name. */
  readonly from: string;
  readonly to: string;
  /** Erased at run time. */
  readonly typeOnly: boolean;
  /** `import()`. */
  readonly dynamic: boolean;
}

export function sourceFiles(directory: string): string[] {
  return readdirSync(join(ROOT, directory)).flatMap((name) => {
    const path = join(directory, name);
    if (statSync(join(ROOT, path)).isDirectory()) return path === 'src/store/scan' ? [] : sourceFiles(path);
    return /(?<!\.d)\.ts$/.test(name) ? [path] : [];
  });
}

/** Every import of the files below some directories. */
export function readImports(directories: readonly string[]): Import[] {
  return directories.flatMap(sourceFiles).flatMap((from) => {
    const file = ts.createSourceFile(from, readFileSync(join(ROOT, from), 'utf8'), ts.ScriptTarget.ES2022, true);
    const found: Import[] = [];
    const add = (specifier: string, typeOnly: boolean, dynamic: boolean): void => {
      const to = specifier.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(from), specifier)).replace(/\.js$/, '.ts') : specifier;
      found.push({ from, to, typeOnly, dynamic });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
        const clause = node.importClause;
        const named = clause?.namedBindings;
        const allTypes = clause?.name === undefined && named !== undefined && ts.isNamedImports(named) && named.elements.every((element) => element.isTypeOnly);
        add(node.moduleSpecifier.text, clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || allTypes, false);
      } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
        add(node.moduleSpecifier.text, node.isTypeOnly, false);
      } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        const argument = node.arguments[0];
        if (argument !== undefined && ts.isStringLiteral(argument)) add(argument.text, false, true);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}

/** The room of a path: `src/<room>` or the top directory. */
export function roomOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'src' ? second.replace(/\.ts$/, '') : top === 'kb-bundles' ? 'kb-bundles/build' : top;
}
