import type { ErrorBody } from '@winnow/contract/error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors, ResponseSerializationError } from 'fastify-type-provider-zod';
import {
  AppError,
  badRequest,
  type FieldProblem,
  invalid,
  notFound,
  tooLarge,
  unavailable,
  unsupportedMediaType,
} from '../errors.ts';
import { statusOf } from './error-status.ts';

/** True for an error that means the database cannot be reached. */
export type IsConnectionError = (error: unknown) => boolean;

/**
 * Creates the handler that logs any thrown value and turns it into an error body of the contract.
 * Errors caused by the caller are logged at info level without their cause. Other errors are logged
 * at error level with all details.
 */
export function createErrorHandler(isConnectionError: IsConnectionError) {
  return function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const failure = toAppError(error, isConnectionError);
    log(failure, error, request);
    if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', failure.retryAfterSeconds);
    if (failure.category === 'unauthorized') reply.header('www-authenticate', 'Bearer');
    const body: ErrorBody = {
      ...failure.more,
      detail: failure.detail,
      code: failure.code,
      ...(failure.fields === undefined ? {} : { fields: failure.fields }),
      request_id: request.id,
    };
    reply.status(statusOf(failure)).type('application/json; charset=utf-8').send(body);
  };
}

/** Returns the 400 error for a URL that cannot be decoded. */
export function malformedAddress(cause?: unknown): AppError {
  return badRequest(
    'The address is not valid: it contains a malformed percent sequence.',
    'malformed',
    cause,
  );
}

/** Returns the 503 error for requests while the server stops. It is not logged as an error. */
export function stopping(): AppError {
  return new AppError({
    code: 'stopping',
    category: 'unavailable',
    detail: 'The server is stopping. Try again in a few seconds.',
    retryAfterSeconds: 5,
  });
}

function log(failure: AppError, thrown: unknown, request: FastifyRequest): void {
  const said = { code: failure.code, status: statusOf(failure) };
  if (failure.isCallerError || failure.code === 'stopping') {
    request.log.info(said, failure.detail);
    return;
  }
  if (hasLeft(thrown, request)) {
    request.log.info('The caller disconnected before the response was sent.');
    return;
  }
  const unfit = thrown instanceof ResponseSerializationError ? { issues: thrown.cause.issues } : {};
  request.log.error({ ...said, ...unfit, err: failure.cause ?? failure }, 'request failed');
}

function hasLeft(thrown: unknown, request: FastifyRequest): boolean {
  const isCutOff =
    thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE';
  return isCutOff && request.raw.socket.destroyed;
}

/** Converts an unknown error into a 500 without details. The original error becomes its cause. */
function toAppError(error: unknown, isConnectionError: IsConnectionError): AppError {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    return invalid(error.validation.map((problem) => fieldOf(problem.instancePath, problem.message)));
  }
  if (isConnectionError(error)) {
    return unavailable(
      'The database is temporarily unavailable. Nothing was lost; try again in a few seconds.',
      5,
      error,
    );
  }
  const { status, code } = hintsOf(error);
  switch (status) {
    case 400:
      return code === 'FST_ERR_BAD_URL'
        ? malformedAddress(error)
        : badRequest('The body is not valid JSON.', 'malformed', error);
    case 403:
    case 404:
    case 414:
      return notFound();
    case 413:
      return tooLarge();
    case 415:
      return unsupportedMediaType();
    default:
      return new AppError({
        code: 'internal',
        category: 'internal',
        detail:
          'Something went wrong on our side and has been logged. Quote the request id when you report it.',
        cause: error,
      });
  }
}

/**
 * Returns the status and code of an error thrown by the HTTP framework. Both are undefined for
 * other errors.
 */
function hintsOf(error: unknown): { status: number; code: string } {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') {
    return { status: 500, code: '' };
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // The JSON parser throws a SyntaxError with an HTTP status.
  const fromFramework = code.startsWith('FST_') || error instanceof SyntaxError;
  return { status: fromFramework ? error.statusCode : 500, code };
}

function fieldOf(instancePath: string, message = 'This value is not valid.'): FieldProblem {
  const path = instancePath.split('/').filter(Boolean).join('.');
  return { path, message: message.endsWith('received undefined') ? 'This field is required.' : message };
}
