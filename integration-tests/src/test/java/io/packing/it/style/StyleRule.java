package io.packing.it.style;

import java.util.List;

/** What every source file has to be like. */
@FunctionalInterface
interface StyleRule {
    /** What of the file breaks the rule: each with its place, and what to write instead. */
    List<String> breaches(JavaSource source);
}
