import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandRows, visible, visibleLines, visibleShort } from '../../../src/chat/visible';

describe('visible text', () => {
  it('shows line breaks, control, direction and zero-width characters', () => {
    assert.equal(visible('a\nb\r\tc\x1b[1m\x7f'), 'a↵b␍⇥c␛[1m␡');
    assert.equal(
      visible('\u202eabc\u2066\u200b\ufeff\u00ad\u2028'),
      '⟨U+202E⟩abc⟨U+2066⟩⟨U+200B⟩⟨U+FEFF⟩⟨U+00AD⟩⟨U+2028⟩',
    );
    assert.equal(visible('x\u{e0041}\u3164'), 'x⟨U+E0041⟩⟨U+3164⟩');
    assert.equal(visible('\ud800'), '⟨U+D800⟩');
  });

  it('leaves letters of every script and whole emoji alone', () => {
    const text = 'naïve Straße 日本語 العربية 👩🏽‍💻 ❤️ 🇩🇪';
    assert.equal(visible(text), text);
    assert.equal(visible('a\u200db'), 'a⟨U+200D⟩b');
  });

  it('keeps the lines where asked, and cuts where asked', () => {
    assert.equal(visibleLines('a\nb'), 'a↵\nb');
    assert.equal(visibleShort('abcdef', 4), 'abc…');
    assert.equal(visibleShort('abcd', 4), 'abcd');
  });
});

describe('rows of a command', () => {
  it('break at line breaks and at the width', () => {
    assert.deepEqual(commandRows('ls\necho'), ['ls↵', 'echo']);
    assert.deepEqual(commandRows('abcdef', 4), ['abcd', 'ef']);
    assert.deepEqual(commandRows('ls\n'), ['ls↵']);
    assert.deepEqual(commandRows(''), ['']);
  });

  it('leave nothing out and are never wider, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
        const rows = commandRows(text);
        assert.equal(rows.join(''), visible(text));
        assert.ok(rows.every(row => Array.from(row).length <= 70));
      }),
    );
  });
});
