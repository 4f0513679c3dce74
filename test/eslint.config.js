import litPlugin from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import wc from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', 'src/store/scan/**', 'test/output/**'] },
  {
    files: ['src/**/*.ts', 'widget/**/*.ts', 'kb-bundles/build/**/*.ts', 'test/**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: ['./tsconfig.json'], tsconfigRootDir: ROOT } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Typed arrays under noUncheckedIndexedAccess: `row[index]! += x` is the plainest form of an accumulation.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/cli/**'],
    rules: {
      'no-console': 'error',
      'no-restricted-globals': ['error', 'window', 'document'],
    },
  },
  {
    files: ['widget/**/*.ts'],
    plugins: { lit: litPlugin, wc, 'lit-a11y': litA11y },
    rules: { ...litPlugin.configs.recommended.rules, ...wc.configs.recommended.rules, ...litA11y.configs.recommended.rules },
  },
  { files: ['**/*.mjs', '**/*.js'], extends: [tseslint.configs.base] },
);
