import { IconChevronDown } from '@tabler/icons-react';
import { FAQ } from '../../content/faq.ts';
import { Section, SectionHead } from '../../ui/section.tsx';
import classes from './faq.module.css';

/** The FAQ. Questions can be opened and closed without JavaScript. */
export function Faq() {
  return (
    <Section>
      <div className={classes.faq}>
        <SectionHead title="Questions, answered plainly" />
        <div>
          {FAQ.map(({ q, a }, at) => (
            <details key={q} open={at === 0}>
              <summary>
                {q}
                <IconChevronDown size={20} aria-hidden />
              </summary>
              <p>{a}</p>
            </details>
          ))}
        </div>
      </div>
    </Section>
  );
}
