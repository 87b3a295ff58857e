import { ExpectedError } from '../base/errors';

/** The content of a file was never kept. */
export function notKept(path: string): ExpectedError {
  return new ExpectedError(
    'checkpointGone',
    `The content of ${path} is not kept: it is too large, or could not be read.`,
  );
}
