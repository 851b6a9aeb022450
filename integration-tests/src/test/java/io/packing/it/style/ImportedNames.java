// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule against classes named with their package where an import would do. It allows them in files with another class
 * of that simple name.
 */
final class ImportedNames implements StyleRule {
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?(([\\w$]+)\\.[\\w$.]+)(?:\\.\\*)?;");
    private static final Pattern PREAMBLE = Pattern.compile("(?m)^(?:import|package) [^;]*;");
    private static final String QUALIFIED = "(?<![\\w$.])((?:%s)(?:\\s*\\.\\s*[a-z]\\w*)*)\\s*\\.\\s*([A-Z]\\w*)";

    private final Pattern qualified;

    /** @param sources whose imports have the beginnings of packages */
    ImportedNames(List<JavaSource> sources) {
        Set<String> roots = new TreeSet<>();
        for (JavaSource source : sources) {
            Matcher matcher = IMPORT.matcher(source.code());
            while (matcher.find()) {
                roots.add(matcher.group(2));
            }
        }
        this.qualified = Pattern.compile(QUALIFIED.formatted(String.join("|", roots)));
    }

    @Override
    public List<String> breaches(JavaSource source) {
        Matcher preamble = PREAMBLE.matcher(source.code());
        String body = preamble.replaceAll("");
        Set<String> imported = new HashSet<>();
        for (Matcher matcher = IMPORT.matcher(source.code()); matcher.find(); ) {
            imported.add(matcher.group(1));
        }
        Set<String> names = new TreeSet<>();
        for (Matcher matcher = qualified.matcher(body); matcher.find(); ) {
            names.add((matcher.group(1) + "." + matcher.group(2)).replaceAll("\\s", ""));
        }
        String unqualified = qualified.matcher(body).replaceAll("");
        List<String> breaches = new ArrayList<>();
        for (String name : names) {
            String simple = name.substring(name.lastIndexOf('.') + 1);
            boolean unqualifiedToo = !imported.contains(name)
                    && Pattern.compile("(?<![\\w$.])" + simple + "\\b")
                            .matcher(unqualified)
                            .find();
            boolean another = unqualifiedToo
                    || names.stream().anyMatch(other -> !other.equals(name) && other.endsWith("." + simple));
            if (!another) {
                breaches.add("%s: %s: import it".formatted(source.path(), name));
            }
        }
        return breaches;
    }
}
