import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Chat, until } from './chat';
import { ScriptedAgent, turns, update } from './scriptedAgents';
import { useWorkbench } from './useWorkbench';

const line = '// A line from the Example agent.';

describe('A turn in the workbench', function () {
  this.timeout(240_000);
  const workbench = useWorkbench();

  it('streams, plans, reads, asks, edits, and can be undone', async () => {
    const chat = await Chat.open(workbench);
    const { page, feed, window } = chat;
    const file = path.join(window.folder ?? '', 'src/berths.js');
    const original = await readFile(file, 'utf8');
    await chat.openFile('src/berths.js');

    await chat.send('/tour');
    await feed.getByRole('heading', { name: 'A short tour' }).waitFor();
    await chat.stop.waitFor();
    await feed.locator('strong', { hasText: 'streams' }).waitFor();

    await chat.pick.getByText('Edit src/berths.js').waitFor();
    const thought = chat.article('Thought');
    const thinking = thought.getByText('The user wants to see');
    assert.equal(await thinking.isVisible(), false);
    await thought.locator('summary').click();
    await thinking.waitFor();
    await chat.article('Plan').getByText('1 of 3').waitFor();

    const read = chat.article('Read src/berths.js');
    await read.getByText('Done').waitFor();
    const content = read.getByText('The berths of the harbour');
    assert.equal(await content.isVisible(), false, 'what was read is folded');
    await read.getByRole('button', { name: 'Details' }).click();
    await content.waitFor();
    await read.getByText('Raw input and output').click();
    await read.getByText(`"path": "${file}"`).waitFor();

    const edit = chat.article('Edit src/berths.js');
    await edit.getByText('Needs approval').waitFor();
    assert.equal(await readFile(file, 'utf8'), original, 'nothing is written before the answer');
    await chat.pick.locator('input').click();
    await chat.choose('Allow');
    await feed.getByText('That was the tour.').waitFor();
    await chat.idle();
    await edit.getByText('Done').waitFor();
    await chat.article('Plan').getByText('3 of 3').waitFor();
    assert.equal(await chat.article('Plan').count(), 1, 'the plan is replaced in place');
    assert.equal(await readFile(file, 'utf8'), `${original}${line}\n`);

    await edit.getByRole('button', { name: 'Open diff' }).click();
    const side = (name: string) => page.locator(`.monaco-diff-editor .editor.${name} .view-lines`);
    await side('modified').getByText(line).waitFor();
    await side('original').getByText('The shortest free berth').waitFor();
    assert.equal(await side('original').getByText(line).count(), 0);

    await until('the editor has it', async () => (await chat.document('src/berths.js'))?.text.includes(line) === true);
    await edit.getByRole('button', { name: 'src/berths.js', exact: true }).click();
    await page.locator('.editor-instance > .monaco-editor.focused').waitFor();
    await page.keyboard.press('Control+z');
    await until('the change is undone', async () => (await chat.document('src/berths.js'))?.text === original);
    assert.equal(await page.locator('.notification-toast').count(), 0, 'nothing is told in notifications');
  });

  it('opens the place that a tool call names', async () => {
    const name = 'src/fees.js';
    const agent = new ScriptedAgent(
      turns([
        update('tool_call', { toolCallId: 'c1', title: 'Look', kind: 'search', locations: [{ path: name, line: 7 }] }),
      ]),
    );
    const chat = await Chat.open(workbench, { settings: agent.settings });
    await chat.turn('look');
    await chat.article('Look').getByRole('button', { name: 'fees.js:7' }).click();
    await until('line 7 is open', async () => {
      const shown = await chat.window.bridge.read(vscode => {
        const editor = vscode.window.activeTextEditor;
        return editor && ([editor.document.uri.path, editor.selection.active.line] as const);
      });
      return shown?.[0].endsWith(name) === true && shown[1] === 6;
    });
  });
});
