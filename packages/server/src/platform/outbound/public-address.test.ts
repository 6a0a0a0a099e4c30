import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

describe('treats private addresses as private', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '4000::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700:4700::1111%eth0',
    'fec0::1',
    'ff02::1',
    '[::1]',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test.each(['', 'localhost', '2130706433', '0177.0.0.1', '127.1', '0x7f000001', '1.2.3', '1.2.3.4.5', '::g'])(
  'treats text that is not an address as private: "%s"',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

test.each(['8.8.8.8', '140.82.121.4', '2606:4700:4700::1111', '[2a00:1450:4001::200e]', '64:ff9b::8.8.8.8'])(
  'treats an internet address as public: %s',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);
