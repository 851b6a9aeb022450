// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import java.util.List;

/** A rule for every source file. */
@FunctionalInterface
interface StyleRule {
    /** Returns the breaches of the rule in the file, each with its place and its remedy. */
    List<String> breaches(JavaSource source);
}
