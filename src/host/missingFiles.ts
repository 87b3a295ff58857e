import { FileError, type FilePort } from '../acp/ports';

/** Files for an agent that takes no error for a file that is missing: reading one gives `answer`. */
export function answeringMissing(files: FilePort, answer: string): FilePort {
  return {
    read: (cwd, request, signal) =>
      files.read(cwd, request, signal).catch((error: unknown) => {
        if (error instanceof FileError && error.kind === 'notFound') return answer;
        throw error;
      }),
    write: (cwd, path, content, signal) => files.write(cwd, path, content, signal),
  };
}
