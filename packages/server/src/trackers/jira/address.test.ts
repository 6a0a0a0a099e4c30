import { describe, expect, test } from 'vitest';
import { TrackerError } from '../provider.ts';
import { jiraAddress } from './address.ts';

const EMAIL = 'ada@example.com';

describe('the API URL of a Jira', () => {
  test.each([
    ['https://acme.atlassian.net', EMAIL, 'https://acme.atlassian.net/rest/api/3'],
    ['acme.atlassian.net/', EMAIL, 'https://acme.atlassian.net/rest/api/3'],
    [
      'https://acme.atlassian.net/jira/software/projects/WIN/boards/1',
      EMAIL,
      'https://acme.atlassian.net/rest/api/3',
    ],
    ['https://issues.example.com', EMAIL, 'https://issues.example.com/rest/api/3'],
    ['https://issues.example.com', null, 'https://issues.example.com/rest/api/2'],
    ['https://issues.example.com', 'ada', 'https://issues.example.com/rest/api/2'],
    ['http://example.com:8080/jira/', '', 'http://example.com:8080/jira/rest/api/2'],
    ['https://example.com/jira/browse/WIN-1', null, 'https://example.com/jira/rest/api/2'],
    ['https://example.com/secure/Dashboard.jspa', null, 'https://example.com/rest/api/2'],
  ])('of %s with user %j is %s', (text, username, apiUrl) => {
    expect(jiraAddress(text, username).apiUrl).toBe(apiUrl);
  });

  test.each([
    ['not an address', null, 'not a web address'],
    ['ftp://example.com', null, 'Only http and https'],
    ['https://ada:secret@example.com', null, 'Leave the user name and password out'],
    ['https://acme.atlassian.net', null, 'email address'],
    ['https://acme.atlassian.net', 'ada', 'email address'],
    ['https://api.atlassian.com/ex/jira/123', EMAIL, 'the address of your site'],
  ])('of %s with user %j is refused', (text, username, words) => {
    const read = () => jiraAddress(text, username);
    expect(read).toThrow(TrackerError);
    expect(read).toThrow(words);
  });
});
