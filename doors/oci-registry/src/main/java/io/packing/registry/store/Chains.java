// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import io.packing.bdt.FileStatus;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.NameRules;
import io.packing.registry.oci.OciException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The images of a registry by their chain ids. A chain id is the hash by which clients name unpacked layers and all
 * layers below them: {@code ChainID} of the OCI image specification. Thread-safe.
 */
public final class Chains {
    private static final int PAGE = 1_000;
    /** Entries that one vector makes. */
    private static final int MOST_ENTRIES = 256;
    /** Chain ids that are looked at for an example: an image has as many as layers, at most some 127. */
    private static final int MOST_EXAMPLES = 256;

    private static final char SLASH = '!';
    /** The number of layers, the number of all layers of the image, the manifest. */
    private static final Pattern ENTRY = Pattern.compile("([1-9][0-9]{0,8})\\.([1-9][0-9]{0,8})!(.*)");

    private final RegistryFiles files;
    private final Layout layout;

    public Chains(RegistryFiles files, Layout layout) {
        this.files = files;
        this.layout = layout;
    }

    /**
     * Returns the chain ids of an image, first that of its lowest layer alone, last that of all layers.
     *
     * @param diffs the digests of the layers' tar streams, from the lowest to the highest
     */
    public static List<Digest> ids(List<Digest> diffs) {
        List<Digest> ids = new ArrayList<>();
        for (Digest diff : diffs) {
            ids.add(
                    ids.isEmpty()
                            ? diff
                            : Digest.Algorithm.SHA256.of(
                                    (ids.get(ids.size() - 1) + " " + diff).getBytes(StandardCharsets.UTF_8)));
        }
        return ids;
    }

    /**
     * Notes an image under its chain ids. A client could claim the layers of another image in a configuration, so the
     * digests have to come from the layers themselves.
     *
     * @param diffs the digests of the layers' tar streams, from the lowest to the highest
     */
    public void note(String repository, Digest manifest, List<Digest> diffs) throws IOException {
        List<Digest> ids = ids(diffs);
        for (int from = 0; from < ids.size(); from += MOST_ENTRIES) {
            VectorBuilder vector = new VectorBuilder().present(layout.content(repository, manifest));
            for (int i = from; i < Math.min(ids.size(), from + MOST_ENTRIES); i++) {
                vector.directory(layout.chain(ids.get(i))
                        .child(repository.replace('/', SLASH))
                        .child("%d.%d%s%s".formatted(i + 1, ids.size(), SLASH, manifest)));
            }
            if (from + MOST_ENTRIES >= ids.size()) {
                vector.directory(layout.chained(repository, manifest));
            }
            if (files.apply(vector.build()) instanceof VectorResult.Refused) {
                // The manifest was deleted meanwhile: no client will ask for it.
                return;
            }
        }
    }

    /** Returns an image with a chain id, a whole one if there is one; empty: the registry has no such layers. */
    public Optional<ChainedImage> find(Digest chain) throws IOException {
        Optional<ChainedImage> prefix = Optional.empty();
        String after = "";
        for (boolean more = true; more; ) {
            List<FileStatus> page = files.list(layout.chain(chain), after, PAGE).orElse(List.of());
            for (FileStatus repository : page) {
                Optional<ChainedImage> found = findIn(repository.path());
                if (found.isPresent() && found.get().isWhole()) {
                    return found;
                }
                prefix = prefix.or(() -> found);
            }
            more = page.size() == PAGE;
            after = page.isEmpty() ? "" : page.get(page.size() - 1).path().name();
        }
        return prefix;
    }

    /**
     * Returns the chain id of a whole image, whichever comes first; empty: none of the registry's first entries has one. A registry that has an
     * image of several layers has more chain ids of its lowest layers.
     */
    public Optional<Digest> example() throws IOException {
        int left = MOST_EXAMPLES;
        for (FileStatus prefix : files.list(layout.chains(), "", MOST_EXAMPLES).orElse(List.of())) {
            for (FileStatus each : files.list(prefix.path(), "", left).orElse(List.of())) {
                Digest chain = new Digest(Digest.Algorithm.SHA256, each.path().name());
                if (find(chain).filter(ChainedImage::isWhole).isPresent()) {
                    return Optional.of(chain);
                }
                left--;
            }
            if (left == 0) {
                break;
            }
        }
        return Optional.empty();
    }

    private Optional<ChainedImage> findIn(FilePath repository) throws IOException {
        Optional<ChainedImage> prefix = Optional.empty();
        // More entries than a page are of one repository's tags over one base: one that is there will do.
        for (FileStatus entry : files.list(repository, "", PAGE).orElse(List.of())) {
            Optional<ChainedImage> image = decode(entry.path());
            if (image.isPresent() && isThere(image.get())) {
                if (image.get().isWhole()) {
                    return image;
                }
                prefix = prefix.or(() -> image);
            }
        }
        return prefix;
    }

    private boolean isThere(ChainedImage image) throws IOException {
        return files.stat(layout.content(image.repository(), image.manifest())).isPresent();
    }

    /** Returns the image of an entry; empty: the entry is none of this class. */
    private static Optional<ChainedImage> decode(FilePath entry) {
        Matcher words = ENTRY.matcher(entry.name());
        String repository = entry.parent().map(FilePath::name).orElse("").replace(SLASH, '/');
        if (!words.matches() || !NameRules.isRepository(repository)) {
            return Optional.empty();
        }
        int layers = Integer.parseInt(words.group(1));
        int all = Integer.parseInt(words.group(2));
        try {
            return layers > all
                    ? Optional.empty()
                    : Optional.of(new ChainedImage(repository, Digest.parse(words.group(3)), layers, all));
        } catch (OciException e) {
            return Optional.empty();
        }
    }

    /**
     * Deletes the entries of images that are gone.
     *
     * @param isOld whether an entry may be deleted
     */
    public void forget(Predicate<FileStatus> isOld) throws IOException {
        new Tree(files, layout).below(layout.chains(), 4, entry -> {
            Optional<ChainedImage> image = decode(entry.path());
            if (isOld.test(entry) && (image.isEmpty() || !isThere(image.get()))) {
                VectorResult unused =
                        files.apply(new VectorBuilder().delete(entry.path()).build());
            }
        });
    }
}
