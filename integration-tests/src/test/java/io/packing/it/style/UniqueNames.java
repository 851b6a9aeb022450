// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A rule against two types of main code with one simple name, in one module or in several: one name has one meaning.
 * A source file stands for the type that it is named after; nested types have the name of the outer one beside theirs.
 */
final class UniqueNames implements StyleRule {
    /** At most so many names may stand twice, each for one concept. */
    static final int MOST_SHARED = 10;

    /** The names that may stand in several modules, with the reason for each. */
    static final Map<String, String> SHARED = Map.of();

    private final Map<String, List<JavaSource>> byType;
    private final Map<String, String> shared;

    /**
     * @param sources of all modules
     * @param shared names that several types may have, with the reason for each
     */
    UniqueNames(List<JavaSource> sources, Map<String, String> shared) {
        this.byType = sources.stream()
                .filter(source -> source.main() && !source.type().endsWith("-info"))
                .collect(Collectors.groupingBy(JavaSource::type, TreeMap::new, Collectors.toList()));
        this.shared = shared;
    }

    @Override
    public List<String> breaches(JavaSource source) {
        List<JavaSource> same = byType.getOrDefault(source.type(), List.of());
        if (!same.contains(source) || shared.containsKey(source.type())) {
            return List.of();
        }
        return same.stream()
                .filter(other -> !other.path().equals(source.path()))
                .map(other -> "%s: %s has the name, too: qualify one of them by its domain"
                        .formatted(source.path(), other.path()))
                .toList();
    }

    /** Returns the allowed names that at most one type has. */
    List<String> unusedAllowances() {
        return new TreeSet<>(shared.keySet())
                .stream()
                        .filter(name -> byType.getOrDefault(name, List.of()).size() < 2)
                        .toList();
    }
}
