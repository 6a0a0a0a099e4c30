import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Feature } from '../content/features.ts';
import { SLIDES } from '../content/slides.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Actions, Section, SectionHead } from '../ui/section.tsx';
import classes from './feature-page.module.css';

/** The page of a feature. `children` appear between the benefits and the steps. */
export function FeaturePage({ feature, children }: { feature: Feature; children?: ReactNode }) {
  const { slide, lead, points, steps } = feature;
  const others = SLIDES.filter(({ href }) => href !== slide.href);
  return (
    <>
      <Section>
        <SectionHead level={1} title={slide.title} lead={lead} />
        <Actions>
          <ButtonLink href="/register" kind="primary" size="lg">
            Get Started
          </ButtonLink>
          <ButtonLink href="/request-demo" size="lg">
            Request a Demo
          </ButtonLink>
        </Actions>
        <img
          className={classes.picture}
          src={slide.media.placeholderImg}
          alt={slide.media.pictureText}
          width={1152}
          height={640}
        />
      </Section>
      <Section>
        <SectionHead title="What you get" />
        <ul className={classes.points}>
          {points.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </Section>
      {children}
      <Section>
        <SectionHead title="How it works" />
        <ol className={classes.steps}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <nav className={classes.others} aria-label="Other features">
          {others.map(({ href, title }) => (
            <Link key={href} href={href} className="link">
              {title}
            </Link>
          ))}
        </nav>
      </Section>
    </>
  );
}
