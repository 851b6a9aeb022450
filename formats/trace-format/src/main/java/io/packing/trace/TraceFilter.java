// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.util.List;
import java.util.Set;

/**
 * A choice of events: by call, by path, and by a sample of the files. It samples by path. So it keeps all calls on a
 * kept file, in every process, and a rename with either name kept.
 *
 * @param calls kept; every call when empty
 * @param under directories or files whose events are kept, everything when empty; calls without a path are kept
 * @param notUnder exceptions to {@code under}, whose events are not kept
 * @param share of paths that are kept, above 0 to 1
 */
public record TraceFilter(Set<Call> calls, List<String> under, List<String> notUnder, double share) {
    /** Keeps everything. */
    public static final TraceFilter ALL = new TraceFilter(Set.of(), List.of(), List.of(), 1);

    public TraceFilter {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("a sample of %s: above 0, to 1".formatted(share));
        }
        calls = Set.copyOf(calls);
        under = List.copyOf(under);
        notUnder = List.copyOf(notUnder);
    }

    public boolean keeps(EventFields event) {
        if (!calls.isEmpty() && !calls.contains(event.call())) {
            return false;
        }
        return event.path().isEmpty()
                || keepsPath(event.path())
                || (!event.target().isEmpty() && keepsPath(event.target()));
    }

    private boolean keepsPath(String path) {
        return (under.isEmpty() || isUnder(path, under)) && !isUnder(path, notUnder) && isSampled(path);
    }

    private static boolean isUnder(String path, List<String> directories) {
        for (String directory : directories) {
            int end = directory.endsWith("/") ? directory.length() - 1 : directory.length();
            if (path.startsWith(directory.substring(0, end)) && (path.length() == end || path.charAt(end) == '/')) {
                return true;
            }
        }
        return false;
    }

    private boolean isSampled(String path) {
        if (share == 1) {
            return true;
        }
        // String.hashCode is equal in every process; the code mixes its bits (SplitMix64), or similar paths would go
        // together.
        long z = path.hashCode() * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        return (z >>> 11) * 0x1.0p-53 < share;
    }
}
