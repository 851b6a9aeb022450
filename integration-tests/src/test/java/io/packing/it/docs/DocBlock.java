// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import java.util.Optional;

/**
 * A fenced block of a page.
 *
 * @param heading the anchor of the heading above it
 * @param line number of its first line, from 1
 * @param language word behind the fence
 * @param text its lines without the indentation of the fence
 */
record DocBlock(String page, String heading, int line, String language, Optional<Mark> mark, String text) {
    boolean isShell() {
        return language.equals("shell");
    }

    boolean is(Mark.Kind kind) {
        return mark.isPresent() && mark.get().kind() == kind;
    }

    @Override
    public String toString() {
        return "%s:%d".formatted(page, line);
    }
}
