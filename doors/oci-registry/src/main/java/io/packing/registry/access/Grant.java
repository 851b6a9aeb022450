// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Rights in a repository, as tokens and clients name them: {@code repository:NAME:pull,push}.
 *
 * @param repository its name
 * @param rights some of all
 */
record Grant(String repository, Set<Right> rights) {
    private static final String REPOSITORY = "repository";
    /** The action that some clients send to delete. */
    private static final String ALL = "*";

    Grant {
        rights = Set.copyOf(rights);
    }

    /** Reads a scope; empty when it is about something else than a repository. Unknown actions are left out. */
    static Optional<Grant> ofScope(String scope) {
        int first = scope.indexOf(':');
        int last = scope.lastIndexOf(':');
        if (first < 0 || last <= first || !scope.substring(0, first).equals(REPOSITORY)) {
            return Optional.empty();
        }
        Set<Right> rights = EnumSet.noneOf(Right.class);
        for (String action : scope.substring(last + 1).split(",", -1)) {
            for (Right right : Right.values()) {
                if (action.equals(ALL) || action.toLowerCase(Locale.ROOT).equals(right.text())) {
                    rights.add(right);
                }
            }
        }
        return Optional.of(new Grant(scope.substring(first + 1, last), rights));
    }
}
