import path from 'node:path';
import tseslint from 'typescript-eslint';

/**
 * The arrows of src/README.md: what each folder may import (folders of the project, then packages and `node:`).
 * `sdk: 'types'` allows type imports of the protocol's SDK only.
 */
const folders = {
  'src/base': { imports: [] },
  'src/chat': { imports: ['src/base'], packages: ['diff'] },
  'src/contract': { imports: ['src/base', 'src/chat'] },
  'src/agents': { imports: ['src/base'] },
  'src/acp': { imports: ['src/base', 'src/chat'], sdk: 'runtime' },
  'src/changes': { imports: ['src/base'], packages: ['diff'] },
  'src/session': { imports: ['src/base', 'src/chat', 'src/agents', 'src/acp', 'src/changes'], sdk: 'types' },
  'src/node': {
    imports: ['src/base', 'src/chat', 'src/session', 'src/changes'],
    node: true,
    packages: ['cross-spawn'],
  },
  'src/connect': { imports: ['src/base', 'src/agents', 'src/acp', 'src/node'], node: true, sdk: 'runtime' },
  'src/agent': {
    imports: ['src/base', 'src/agents', 'src/acp', 'src/connect', 'src/node'],
    node: true,
    sdk: 'runtime',
  },
  'src/host': {
    imports: [
      'src/base',
      'src/chat',
      'src/contract',
      'src/agents',
      'src/acp',
      'src/changes',
      'src/session',
      'src/node',
    ],
    node: true,
    sdk: 'types',
    vscode: true,
  },
  webview: {
    imports: ['src/base', 'src/chat', 'src/contract'],
    packages: [
      'preact',
      '@preact/signals',
      'markdown-it',
      'lowlight',
      'highlight.js',
      'anser',
      '@vscode/webview-ui-toolkit',
      'hast',
    ],
  },
};

const root = import.meta.dirname;
const packageOf = name => (name.startsWith('@') ? name.split('/').slice(0, 2) : name.split('/').slice(0, 1)).join('/');

const arrows = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = path.relative(root, context.filename).split(path.sep).join('/');
    const folder = Object.keys(folders).find(name => file.startsWith(`${name}/`));
    if (!folder) return {};
    const rule = folders[folder];
    const check = (node, source, typeOnly) => {
      const fail = what => context.report({ node, message: `${folder} may not import ${what}: see src/README.md` });
      if (source.startsWith('.')) {
        const target = path.posix.join(path.posix.dirname(file), source);
        const inside = [folder, ...rule.imports].some(name => target.startsWith(`${name}/`));
        if (!inside) fail(target);
      } else if (source.startsWith('node:')) {
        if (!rule.node) fail(source);
      } else if (source === 'vscode') {
        if (!rule.vscode) fail(source);
      } else if (source.startsWith('@agentclientprotocol/sdk')) {
        if (rule.sdk !== 'runtime' && !(rule.sdk === 'types' && typeOnly)) fail(source);
      } else if (!rule.packages?.includes(packageOf(source))) fail(source);
    };
    const typeOnly = node =>
      node.importKind === 'type' ||
      node.exportKind === 'type' ||
      (node.specifiers?.length > 0 && node.specifiers.every(s => s.importKind === 'type' || s.exportKind === 'type'));
    return {
      ImportDeclaration: node => check(node, node.source.value, typeOnly(node)),
      ExportNamedDeclaration: node => node.source && check(node, node.source.value, typeOnly(node)),
      ExportAllDeclaration: node => check(node, node.source.value, node.exportKind === 'type'),
      ImportExpression: node => node.source.type === 'Literal' && check(node, String(node.source.value), false),
      TSImportType: node => check(node, node.source?.value ?? node.argument.literal.value, true),
    };
  },
};

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', 'test/sample/', 'test/rig/variants/', 'test/bench/baseline/'] },
  ...tseslint.configs.recommended.map(config => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: ['src/**/*.ts', 'webview/**/*.ts', 'webview/**/*.tsx', 'test/**/*.ts', 'test/**/*.tsx'],
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'webview/tsconfig.json', 'test/tsconfig.json'],
        tsconfigRootDir: root,
      },
    },
    plugins: { portside: { rules: { arrows } } },
    rules: {
      'portside/arrows': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['test/**/*.ts', 'test/**/*.tsx'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
