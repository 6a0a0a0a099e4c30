import { IconChevronDown } from '@tabler/icons-react';
import { FAQ } from '../../content/faq.ts';
import { Section, SectionHead } from '../../ui/section.tsx';
import classes from './faq.module.css';

/** Questions that open and close by themselves, with and without scripts. */
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
