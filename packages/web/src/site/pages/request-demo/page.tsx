import { useState } from 'react';
import { AccessFrame } from '../../access/access-frame.tsx';
import { Outcome } from '../../access/outcome.tsx';
import { Alert } from '../../ui/alert.tsx';
import { DemoForm } from './demo-form.tsx';
import { DemoTopics } from './demo-topics.tsx';
import classes from './page.module.css';

/** The page at `/request-demo`. A confirmation replaces the form after the request is received. */
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
      lead="Tell us about your team and we will show you Winnow on a backlog like yours."
      wide
      beside={<DemoTopics />}
    >
      <DemoForm onReceived={() => setReceived(true)} />
    </AccessFrame>
  );
}
