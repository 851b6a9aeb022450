// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The layout of a page in a browser: what a reader of a window of some size does not see. */
final class Layout {
    /**
     * A script that returns sentences. Contents are cut where a box hides what is wider than the box, and where an element is beyond
     * an edge of the window without a box that scrolls. Text of a plot is cut at the edges of the plot.
     */
    private static final String SCRIPT = """
            (wide => {
              if (document.readyState !== 'complete') return null;
              const found = new Set();
              const root = document.documentElement;
              document.querySelectorAll('details').forEach(each => { each.open = true; });
              if (root.scrollWidth > root.clientWidth) {
                found.add('the page scrolls sideways: ' + root.scrollWidth + ' px in ' + root.clientWidth);
              }
              if (window.innerWidth !== wide) found.add('the page is laid out for ' + window.innerWidth + ' px');
              const name = each => each.tagName.toLowerCase() + (each.id ? '#' + each.id : '') + ' "' + each.textContent.trim().slice(0, 40) + '"';
              const scrolls = each => ['auto', 'scroll'].includes(getComputedStyle(each).overflowX);
              for (const each of document.body.querySelectorAll('*')) {
                const box = each.getBoundingClientRect();
                if (box.width === 0 || each.closest('select, script, style') || each.closest('defs, clipPath')) continue;
                if (each instanceof SVGElement) {
                  // Letters and marks; what stands in a plot's clip path is meant to end there.
                  if (each.localName === 'svg' || each.localName === 'g' || each.closest('[clip-path], [style*=clip-path]')) continue;
                  const plot = each.closest('svg').getBoundingClientRect();
                  if (box.left < plot.left - 1 || box.right > plot.right + 1 || box.top < plot.top - 1 || box.bottom > plot.bottom + 1) {
                    found.add('cut by its plot: ' + name(each));
                  }
                  continue;
                }
                const style = getComputedStyle(each);
                const hidden = each.scrollWidth - each.clientWidth;
                if (hidden > 1 && each.clientWidth > 0) {
                  if (['hidden', 'clip'].includes(style.overflowX)) found.add('cut: ' + name(each));
                  // A plot or table may be scrolled in its box on a phone only.
                  if (scrolls(each) && wide >= 1280) found.add('hides ' + hidden + ' px: ' + name(each));
                }
                let inBox = false;
                for (let up = each.parentElement; up; up = up.parentElement) inBox = inBox || scrolls(up);
                if (!inBox && (box.left < -1 || box.right > root.clientWidth + 1)) found.add('beyond the window: ' + name(each));
              }
              const names = [...document.querySelectorAll('[id]')].map(each => each.id);
              const twice = names.filter((each, i) => names.indexOf(each) !== i);
              if (twice.length > 0) found.add('two elements are named ' + twice[0]);
              return [...found];
            })(%d)
            """;

    /** A script that returns how bright the page, the text of its body, and the text of its plots are, from 0 to 1. */
    private static final String BRIGHTNESS = """
            (() => {
              const bright = colour => {
                const parts = colour.match(/[0-9.]+/g).map(Number);
                return parts.length > 3 && parts[3] === 0 ? 1 : (0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2]) / 255;
              };
              const body = getComputedStyle(document.body);
              const plots = [...document.querySelectorAll('svg.chart, img')];
              return [bright(body.backgroundColor), bright(body.color),
                plots.filter(each => !getComputedStyle(each).filter.includes('invert')).length];
            })()
            """;

    private Layout() {}

    /** Returns what is cut in a page that the browser shows at a width. */
    static List<String> faults(Browser browser, int width) throws IOException, InterruptedException {
        List<String> faults = new ArrayList<>();
        for (JsonNode fault : browser.await(SCRIPT.formatted(width))) {
            faults.add("%d px: %s".formatted(width, fault.asText()));
        }
        return faults;
    }

    /** Returns what is not dark in a page that the browser shows for a dark system. */
    static List<String> bright(Browser browser) throws IOException, InterruptedException {
        JsonNode brightness = browser.await(BRIGHTNESS);
        List<String> faults = new ArrayList<>();
        if (brightness.get(0).asDouble() > 0.3 || brightness.get(1).asDouble() < 0.7) {
            faults.add("the page is not dark: " + brightness);
        }
        if (brightness.get(2).asInt() > 0) {
            faults.add("%d plots are not dark".formatted(brightness.get(2).asInt()));
        }
        return faults;
    }
}
