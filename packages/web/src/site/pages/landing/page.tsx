import { Carousel } from '../../carousel/carousel.tsx';
import { SLIDES } from '../../content/slides.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Actions, Section, SectionHead } from '../../ui/section.tsx';
import { Faq } from './faq.tsx';
import { Flows } from './flows.tsx';
import { Hero } from './hero.tsx';
import { Mcp } from './mcp.tsx';
import { Trackers } from './trackers.tsx';

/** The landing page, at `/`. */
export function Page() {
  return (
    <>
      <Hero />
      <Section>
        <Carousel label="What Winnow does" slides={SLIDES} />
      </Section>
      <Mcp />
      <Flows />
      <Trackers />
      <Faq />
      <Section isCentered>
        <SectionHead
          title="Start with the sample backlog"
          lead="You can explore without a tracker. Connect yours when you are ready."
        />
        <Actions>
          <ButtonLink href="/register" kind="primary" size="lg">
            Get Started for Free
          </ButtonLink>
          <ButtonLink href="/request-demo" size="lg">
            Request a Demo
          </ButtonLink>
        </Actions>
      </Section>
    </>
  );
}
