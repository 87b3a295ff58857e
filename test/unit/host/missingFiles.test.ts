import assert from 'node:assert/strict';
import { FileError, type FilePort } from '../../../src/acp/ports';
import { answeringMissing } from '../../../src/host/missingFiles';

describe('files for an agent that takes no error for a missing one', () => {
  const { signal } = new AbortController();
  const failing = (error: Error): FilePort => ({
    read: () => Promise.reject(error),
    write: (_cwd, path, content) => Promise.resolve({ before: `${path} ${content}` }),
  });
  const read = (files: FilePort) => answeringMissing(files, '').read('/w', { path: '/w/a' }, signal);

  it('are empty where there is none', async () => {
    assert.equal(await read(failing(new FileError('notFound', 'Resource not found: /w/a'))), '');
  });

  it('are refused, and fail, as for any other agent', async () => {
    for (const error of [new FileError('refused', 'outside'), new FileError('failed', 'no'), new Error('bug')])
      await assert.rejects(read(failing(error)), error);
  });

  it('are read and written as they are', async () => {
    const files: FilePort = { ...failing(new Error()), read: (_cwd, { path }) => Promise.resolve(`text of ${path}`) };
    assert.equal(await read(files), 'text of /w/a');
    assert.deepEqual(await answeringMissing(files, '').write('/w', '/w/a', 'x', signal), { before: '/w/a x' });
  });
});
