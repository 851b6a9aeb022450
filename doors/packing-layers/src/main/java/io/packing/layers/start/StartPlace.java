// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import io.packing.blob.FilePath;
import io.packing.registry.files.Layout;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.NameRules;
import io.packing.registry.oci.OciException;
import java.util.Optional;

/**
 * The place of an image's start pack: beside its manifest, or with the snapshot that a container was pushed as. A
 * container has a <i>mark</i> that says which one.
 *
 * @param directory the directory of the pack; it need not be there
 * @param proof a file that is there as long as the image is
 * @param root the root that containers of the image are clones of
 */
public record StartPlace(FilePath directory, FilePath proof, FilePath root) {
    /** In the directory of a container: a directory whose only entry is called as the mark. */
    public static final String OF = "of";

    /** Between the words of a mark; a digest, a tag and the components of a repository's name have none. */
    private static final char BETWEEN = '!';

    private static final String SNAPSHOT = "snapshot";
    private static final int WORDS = 3;

    /** Returns the mark of a container of an image that has a manifest. */
    public static String mark(String repository, Digest manifest) {
        return mark(manifest.algorithm().text(), manifest.hex(), repository);
    }

    /** Returns the mark of a container of a snapshot. */
    public static String markOfSnapshot(String repository, String tag) {
        return mark(SNAPSHOT, tag, repository);
    }

    private static String mark(String kind, String name, String repository) {
        return kind + BETWEEN + name + BETWEEN + repository.replace('/', BETWEEN);
    }

    /** Returns the place that a mark names; empty: the text is no mark. */
    static Optional<StartPlace> of(Layout layout, String mark) {
        String[] words = mark.split(String.valueOf(BETWEEN), WORDS);
        if (words.length < WORDS) {
            return Optional.empty();
        }
        String repository = words[2].replace(BETWEEN, '/');
        if (!NameRules.isRepository(repository)) {
            return Optional.empty();
        }
        if (words[0].equals(SNAPSHOT)) {
            FilePath snapshot = layout.snapshot(repository, words[1]);
            return NameRules.isTag(words[1])
                    ? Optional.of(in(snapshot, Layout.IMAGE, snapshot.child(Layout.ROOT)))
                    : Optional.empty();
        }
        try {
            Digest digest = Digest.parse(words[0] + ":" + words[1]);
            return Optional.of(
                    in(layout.manifest(repository, digest), Layout.CONTENT, layout.root(repository, digest)));
        } catch (OciException e) {
            return Optional.empty();
        }
    }

    private static StartPlace in(FilePath image, String proof, FilePath root) {
        return new StartPlace(image.child(Layout.START), image.child(proof), root);
    }
}
