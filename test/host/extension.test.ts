import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { proxySettings, saveBeforePromptSetting } from '../../src/host/settings';

describe('the extension', () => {
  const extension = vscode.extensions.getExtension('portside.portside');

  it('starts without an error and registers every command that it contributes', async () => {
    assert.ok(extension);
    await extension.activate();
    const registered = await vscode.commands.getCommands(true);
    const { commands } = extension.packageJSON.contributes as { commands: { command: string }[] };
    assert.ok(commands.length > 0);
    assert.deepEqual(
      commands.filter(({ command }) => !registered.includes(command)),
      [],
    );
  });

  it('contributes to no menu that is proposed API', function () {
    const file = ['code/browser/workbench/workbench.js', 'workbench/workbench.desktop.main.js']
      .map(name => path.join(vscode.env.appRoot, 'out/vs', name))
      .find(existsSync);
    if (!file) return this.skip();
    const proposed = [...readFileSync(file, 'utf8').matchAll(/key:"([\w/-]+)",id:[^{}]*?,proposed:"/g)].map(
      ([, menu]) => menu,
    );
    assert.ok(proposed.includes('multiDiffEditor/resource/title'), 'the menus were not found');
    const menus = Object.keys(extension?.packageJSON.contributes.menus as object);
    assert.deepEqual(
      menus.filter(menu => proposed.includes(menu)),
      [],
    );
  });
});

describe('settings', () => {
  const change = async (section: string, key: string, value: unknown): Promise<void> =>
    vscode.workspace.getConfiguration(section).update(key, value, vscode.ConfigurationTarget.Global);

  afterEach(async () => {
    await change('portside', 'saveBeforePrompt', undefined);
    await change('http', 'proxy', undefined);
    await change('http', 'noProxy', undefined);
  });

  it('of the wrong type count as not set', async () => {
    await change('portside', 'saveBeforePrompt', 7);
    assert.equal(saveBeforePromptSetting(), 'ask');
    await change('portside', 'saveBeforePrompt', 'always');
    assert.equal(saveBeforePromptSetting(), 'always');
  });

  it('for the network are those of VS Code', async () => {
    await change('http', 'proxy', 'http://127.0.0.1:9');
    await change('http', 'noProxy', ['localhost', 3]);
    assert.deepEqual(proxySettings(), { proxy: 'http://127.0.0.1:9', noProxy: ['localhost'] });
  });
});
