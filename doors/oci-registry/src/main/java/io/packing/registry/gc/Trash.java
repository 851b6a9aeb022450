// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.gc;

import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import io.packing.registry.files.VectorBuilder;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Candidates that are moved out of the way, so that no push begins to need them, until it is sure that none did before.
 * An entry's name has the run that moved it and the path from which it came: a run deletes only its own entries.
 */
final class Trash {
    private static final String BETWEEN = ":";

    private final RegistryFiles files;
    private final Layout layout;
    private final Tree tree;
    private final String run;

    /** @param run a name that no other run has */
    Trash(RegistryFiles files, Layout layout, Tree tree, String run) {
        this.files = files;
        this.layout = layout;
        this.tree = tree;
        this.run = run;
    }

    /** Returns the place of a path in the trash. */
    FilePath place(FilePath path) {
        return layout.trash().child(run + BETWEEN + URLEncoder.encode(path.value(), StandardCharsets.UTF_8));
    }

    /** Moves something away; false when it is gone already. */
    boolean take(FilePath path) throws IOException {
        return files.apply(new VectorBuilder()
                        .directory(layout.trash())
                        .rename(path, place(path), false)
                        .build())
                instanceof VectorResult.Applied;
    }

    /** Moves back the entries of runs that did not come to their end. */
    void restoreAll() throws IOException {
        List<FilePath> left = new ArrayList<>();
        tree.each(layout.trash(), entry -> left.add(entry.path()));
        for (FilePath place : left) {
            String name = place.name().substring(place.name().indexOf(BETWEEN) + 1);
            restore(place, new FilePath(URLDecoder.decode(name, StandardCharsets.UTF_8)));
        }
    }

    /** Moves an entry back. If its place is taken meanwhile, the new entry stays, and the old one goes. */
    void restore(FilePath path) throws IOException {
        restore(place(path), path);
    }

    private void restore(FilePath place, FilePath path) throws IOException {
        VectorResult result = files.apply(new VectorBuilder()
                .directory(path.parent().orElseThrow())
                .rename(place, path, false)
                .build());
        if (result instanceof VectorResult.Refused) {
            VectorResult unused = files.apply(new VectorBuilder().delete(place).build());
        }
    }

    /** Deletes something for good. */
    void purge(FilePath path) throws IOException {
        VectorResult unused =
                files.apply(new VectorBuilder().delete(place(path)).build());
    }
}
