import assert from 'node:assert/strict';
import manifest from '../../../package.json';
import { chatHtml } from '../../../src/host/chatHtml';

describe('the manifest', () => {
  it('uses no proposed API', () => {
    assert.ok(!('enabledApiProposals' in manifest));
    assert.equal(
      manifest.engines.vscode.replace('^', ''),
      manifest.devDependencies['@types/vscode'].replace(/\d+$/, '0'),
    );
  });

  it('runs beside the workspace, in limited ways where it is not trusted', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    assert.equal(manifest.capabilities.virtualWorkspaces.supported, false);
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    const harmless = ['portside.handshakeTimeout'];
    const settings = Object.keys(manifest.contributes.configuration.properties);
    assert.deepEqual(
      settings.filter(name => !restrictedConfigurations.includes(name)),
      harmless,
    );
    assert.equal(manifest.contributes.configuration.properties['portside.agents'].scope, 'machine-overridable');
  });

  it('names only commands that it contributes', () => {
    const { commands, menus, keybindings } = manifest.contributes;
    const known = commands.map(({ command }) => command);
    for (const { command } of [...Object.values(menus).flat(), ...keybindings])
      assert.ok(known.includes(command), command);
  });

  it('shows the chat, and below it the changes, in the secondary side bar', () => {
    const { viewsContainers, views } = manifest.contributes;
    assert.deepEqual(
      viewsContainers.secondarySidebar.map(({ id }) => id),
      Object.keys(views),
    );
    assert.deepEqual(
      views.portside.map(({ id, name }) => [id, name]),
      [
        ['portside.chat', 'Portside'],
        ['portside.changes', 'Changes'],
      ],
    );
  });
});

describe('the page of the chat view', () => {
  const html = chatHtml({ script: 'S/webview.js', style: 'S/webview.css', source: 'S', nonce: 'N' });
  const policy = new Map(
    /http-equiv="Content-Security-Policy" content="([^"]*)"/
      .exec(html)?.[1]
      ?.split('; ')
      .map(rule => [rule.split(' ')[0], rule.split(' ').slice(1)]),
  );

  it('loads nothing that is not its own and runs no inline code', () => {
    assert.deepEqual(policy.get('default-src'), ["'none'"]);
    assert.deepEqual(policy.get('script-src'), ["'nonce-N'", 'S']);
    for (const sources of policy.values())
      for (const source of sources) assert.doesNotMatch(source, /unsafe|https?:|\*|blob:/);
    for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]*)"/g)) assert.ok(address.startsWith('S/'));
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=/);
  });

  it('makes HTML of text only by the policy of its components', () => {
    assert.deepEqual(policy.get('require-trusted-types-for'), ["'script'"]);
    assert.deepEqual(policy.get('trusted-types'), ['fast-html']);
  });
});
