// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.oci.NameRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * The names of the repositories that have manifests. They are in the order of their directories: parts of names are compared, so
 * that {@code a/b} comes before {@code a-b}, as in the registry of the distribution project. Thread-safe.
 */
public final class Catalog {
    private static final int PAGE = 1_000;
    /** A number above that of the digest algorithms. */
    private static final int MOST_ALGORITHMS = 16;

    private final RegistryFiles files;
    private final Layout layout;

    public Catalog(RegistryFiles files, Layout layout) {
        this.files = files;
        this.layout = layout;
    }

    /**
     * Lists a page of names.
     *
     * @param last the last name of the page before; empty: the first page
     * @param isVisible true for each name that the client may see
     */
    public List<String> page(String last, int limit, Predicate<String> isVisible) throws IOException {
        List<String> found = new ArrayList<>();
        List<String> after = last.isEmpty() ? List.of() : Arrays.asList(last.split("/", -1));
        new Walk(isVisible, limit, found).below(layout.repositories(), "", after);
        return found;
    }

    private final class Walk {
        private final Predicate<String> isVisible;
        private final int limit;
        private final List<String> found;

        Walk(Predicate<String> isVisible, int limit, List<String> found) {
            this.isVisible = isVisible;
            this.limit = limit;
            this.found = found;
        }

        /**
         * Visits the entries below a directory.
         *
         * @param prefix the name of the directory with a slash; empty for that of all repositories
         * @param after the parts, below the directory, of the last name that was visited before; empty: none was
         */
        void below(FilePath directory, String prefix, List<String> after) throws IOException {
            String previous = "";
            if (!after.isEmpty()) {
                previous = after.get(0);
                below(directory.child(previous), prefix + previous + "/", after.subList(1, after.size()));
            }
            for (boolean more = true; more && found.size() < limit; ) {
                List<FileStatus> page = files.list(directory, previous, PAGE).orElse(List.of());
                for (FileStatus entry : page) {
                    visit(entry, prefix);
                }
                more = page.size() == PAGE;
                previous =
                        page.isEmpty() ? "" : page.get(page.size() - 1).path().name();
            }
        }

        private void visit(FileStatus entry, String prefix) throws IOException {
            String name = prefix + entry.path().name();
            // Directories of ours begin with an underscore, which no part of a name does.
            if (found.size() >= limit || !entry.isDirectory() || !NameRules.isRepository(name)) {
                return;
            }
            if (isVisible.test(name) && hasManifests(name)) {
                found.add(name);
            }
            below(entry.path(), name + "/", List.of());
        }

        private boolean hasManifests(String repository) throws IOException {
            FilePath manifests = layout.manifests(repository);
            for (FileStatus algorithm :
                    files.list(manifests, "", MOST_ALGORITHMS).orElse(List.of())) {
                if (!files.list(algorithm.path(), "", 1).orElse(List.of()).isEmpty()) {
                    return true;
                }
            }
            return false;
        }
    }
}
