import { useState } from 'react';
import { AccessFrame } from '../../access/access-frame.tsx';
import { Outcome } from '../../access/outcome.tsx';
import { Alert } from '../../ui/alert.tsx';
import { DemoForm } from './demo-form.tsx';
import classes from './page.module.css';
import { WhatIsShown } from './what-is-shown.tsx';

/** Ask to be shown the product. Once the request was received, that is all that is left of the page. */
export function Page() {
  const [isReceived, setReceived] = useState(false);
  if (isReceived) {
    return (
      <div className={classes.received}>
        <Outcome>
          <h1 className="vh">Request Demo</h1>
          <Alert tone="success">
            Thank you! Your demo request has been received. We'll be in touch shortly.
          </Alert>
        </Outcome>
      </div>
    );
  }
  return (
    <AccessFrame
      title="Request Demo"
      lead="Tell us a little about your team, and we show you Winnow with a backlog like yours."
      wide
      beside={<WhatIsShown />}
    >
      <DemoForm onReceived={() => setReceived(true)} />
    </AccessFrame>
  );
}
