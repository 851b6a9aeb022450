// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;

/** Directories of a registry, walked page by page. */
public final class Tree {
    private static final int PAGE = 1_000;

    private final RegistryFiles files;
    private final Layout layout;

    public Tree(RegistryFiles files, Layout layout) {
        this.files = files;
        this.layout = layout;
    }

    /** Receives each entry. */
    public interface Visit {
        void entry(FileStatus entry) throws IOException;
    }

    /** Receives each repository. */
    public interface RepositoryVisit {
        void repository(String name) throws IOException;
    }

    /** Visits the entries of a directory, if it exists. */
    public void each(FilePath directory, Visit visit) throws IOException {
        String after = "";
        for (boolean more = true; more; ) {
            List<FileStatus> page = files.list(directory, after, PAGE).orElse(List.of());
            for (FileStatus entry : page) {
                visit.entry(entry);
            }
            more = page.size() == PAGE;
            after = page.isEmpty() ? "" : page.get(page.size() - 1).path().name();
        }
    }

    /** Visits the entries so many levels below a directory; 1: its own. */
    public void below(FilePath directory, int levels, Visit visit) throws IOException {
        each(directory, entry -> {
            if (levels == 1) {
                visit.entry(entry);
            } else if (entry.isDirectory()) {
                below(entry.path(), levels - 1, visit);
            }
        });
    }

    /** Visits all repositories. */
    public void repositories(RepositoryVisit visit) throws IOException {
        repositories(layout.repositories(), visit);
    }

    private void repositories(FilePath directory, RepositoryVisit visit) throws IOException {
        boolean[] isRepository = new boolean[1];
        each(directory, entry -> {
            if (entry.path().name().startsWith("_")) {
                isRepository[0] = true;
            } else if (entry.isDirectory()) {
                repositories(entry.path(), visit);
            }
        });
        if (isRepository[0]) {
            visit.repository(
                    directory.value().substring(layout.repositories().value().length() + 1));
        }
    }
}
