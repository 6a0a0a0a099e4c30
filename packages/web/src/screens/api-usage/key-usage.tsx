import type { ApiUsage } from '@winnow/contract/usage';
import { Link } from 'react-router';
import { Badge } from '../../theme/parts/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { countText } from '../../ui/texts/count-text.ts';
import classes from './usage-table.module.css';
import { shareText } from './usage-texts.ts';

/** Number of requests by API key. */
export function KeyUsage({ keys }: { keys: ApiUsage['requests_by_key'] }) {
  const total = keys.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card
      title="API keys"
      actions={
        <Link to="/console/settings/api-keys" className={`link ${classes.manage}`}>
          Manage keys
        </Link>
      }
    >
      <div className={classes.scroll}>
        <table className={classes.table} aria-label="Requests by API key">
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Requests</th>
              <th scope="col">Share</th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {keys.map(({ key_id, name, is_revoked, count, errors }) => (
              <tr key={key_id}>
                <th scope="row">
                  {name} {is_revoked ? <Badge small>Revoked</Badge> : null}
                </th>
                <td>{countText(count)}</td>
                <td>{shareText(count, total)}</td>
                <td>{countText(errors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
