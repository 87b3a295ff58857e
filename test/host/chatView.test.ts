import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/lifecycle';
import { applyPatch } from '../../src/chat/patch';
import type { Patch, Snapshot, ViewState } from '../../src/chat/view';
import { ChatView, type ChatViewContext } from '../../src/host/chatView';
import type { ViewModel } from '../../src/host/viewModel';

type Posted =
  | { type: 'answer'; value: Snapshot }
  | { type: 'event'; name: 'patch'; data: Patch }
  | { type: 'event'; name: 'snapshot'; data: Snapshot };

describe('the chat view', () => {
  let state: ViewState;
  let posted: Posted[];
  let received: vscode.EventEmitter<unknown>;
  let visibility: vscode.EventEmitter<void>;
  let changed: Emitter<void>;
  let page: { visible: boolean; badge?: vscode.ViewBadge };
  let view: ChatView;

  beforeEach(() => {
    state = { head: { conversationId: 'c1', phase: 'ready', queue: [], commands: [] }, entries: [] };
    posted = [];
    received = new vscode.EventEmitter();
    visibility = new vscode.EventEmitter();
    changed = new Emitter();
    const model = {
      onDidChange: changed.event,
      get state() {
        return state;
      },
    } as unknown as ViewModel;
    view = new ChatView({
      extensionUri: vscode.Uri.file('/extension'),
      model,
      restored: Promise.resolve(),
      requests: {} as ChatViewContext['requests'],
      memory: { get: () => ({ draft: 'a draft', scroll: { at: 'bottom' } }), set: () => {} },
      report: error => assert.fail(error as Error),
      logOnly: error => assert.fail(error as Error),
    });
    const webview = {
      options: {},
      html: '',
      cspSource: 'source',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: received.event,
      postMessage: (message: Posted) => Promise.resolve(posted.push(message)),
    };
    page = {
      webview,
      visible: true,
      onDidChangeVisibility: visibility.event,
      onDidDispose: new vscode.EventEmitter().event,
    } as unknown as typeof page;
    view.resolveWebviewView(page as unknown as vscode.WebviewView);
  });
  afterEach(() => view.dispose());

  const ready = async (): Promise<ViewState> => {
    posted = [];
    received.fire({ type: 'request', id: 1, name: 'ready', params: {} });
    while (posted.length === 0) await sleep(1);
    const [opening] = posted.splice(0);
    assert.ok(opening?.type === 'answer');
    return opening.value.state;
  };
  const say = (text: string): void => {
    const entry = { kind: 'agent' as const, id: 'e1', turn: 1, open: true, blocks: [{ type: 'text' as const, text }] };
    state = { ...state, entries: [entry] };
    changed.fire();
  };

  it('is told nothing before its page asks, then everything, then what changes', async () => {
    say('one');
    await sleep(50);
    assert.equal(posted.length, 0);
    let drawn = await ready();
    assert.deepEqual(drawn, state);
    say('one two');
    await sleep(50);
    for (const message of posted) {
      assert.ok(message.type === 'event' && message.name === 'patch');
      drawn = applyPatch(drawn, message.data);
    }
    assert.deepEqual(drawn, state);
  });

  it('gets at most one message a frame, however often something changes', async () => {
    let drawn = await ready();
    const began = performance.now();
    for (let n = 0; performance.now() - began < 500; n++) {
      say('x'.repeat(n));
      await sleep(0);
    }
    await sleep(50);
    const elapsed = performance.now() - began;
    assert.ok(posted.length > 1 && posted.length <= (elapsed / 1000) * 62, `${posted.length} in ${elapsed} ms`);
    for (const message of posted) {
      assert.ok(message.type === 'event' && message.name === 'patch');
      drawn = applyPatch(drawn, message.data);
    }
    assert.deepEqual(drawn, state);
  });

  it('is told nothing while it is hidden, and everything when its page is there again', async () => {
    await ready();
    page.visible = false;
    visibility.fire();
    say('meanwhile');
    await sleep(50);
    assert.equal(posted.length, 0);
    page.visible = true;
    visibility.fire();
    say('meanwhile, too');
    await sleep(50);
    assert.equal(posted.length, 0);
    assert.deepEqual(await ready(), state);
  });

  it('is given the whole state of another conversation', async () => {
    await ready();
    state = { ...state, head: { ...state.head, conversationId: 'c2' } };
    changed.fire();
    await sleep(50);
    const [message] = posted;
    assert.ok(message?.type === 'event' && message.name === 'snapshot');
    assert.deepEqual(message.data.state, state);
  });

  it('has a badge while questions wait', () => {
    view.setQuestions(2);
    assert.equal(page.badge?.value, 2);
    view.setQuestions(0);
    assert.equal(page.badge, undefined);
  });
});
