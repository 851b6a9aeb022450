// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.gc;

import io.packing.bdt.FileStatus;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Manifest;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.StoredManifest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The manifests and blobs that the tags of a repository reach. A manifest is reached by a tag, by an index that is
 * reached, by its subject, or by the manifest that it translates.
 */
final class RepositoryMarks {
    private final Map<Digest, Manifest> manifests = new HashMap<>();
    private final Map<Digest, Integer> tags = new HashMap<>();
    private final Set<Digest> subjects = new HashSet<>();
    private final Map<Digest, Set<Digest>> translations = new HashMap<>();
    private final Set<Digest> reached = new HashSet<>();
    private final Set<Digest> blobs = new HashSet<>();
    private final Set<Digest> named = new HashSet<>();

    private RepositoryMarks() {}

    /**
     * Looks at a repository.
     *
     * @param newerThan manifests that were pushed later count as tagged, milliseconds since the epoch
     */
    static RepositoryMarks of(
            String repository, RegistryFiles files, Layout layout, Tree tree, Manifests store, long newerThan)
            throws IOException {
        RepositoryMarks marks = new RepositoryMarks();
        Deque<Digest> roots = new ArrayDeque<>();
        tree.below(layout.repository(repository).child(Layout.MANIFESTS), 2, entry -> {
            Optional<Digest> digest = Layout.digestOf(entry.path());
            Optional<StoredManifest> stored =
                    digest.isPresent() ? store.byDigest(repository, digest.get()) : Optional.empty();
            if (digest.isEmpty() || stored.isEmpty()) {
                return;
            }
            Manifest manifest = parsed(stored.get());
            marks.manifests.put(digest.get(), manifest);
            manifest.subject().ifPresent(marks.subjects::add);
            marks.named.addAll(manifest.blobs());
            marks.named.addAll(manifest.children());
            Set<Digest> translations = store.translations(repository, digest.get());
            marks.translations.put(digest.get(), translations);
            marks.named.addAll(translations);
            int[] tags = {0};
            tree.each(layout.marks(repository, digest.get()), mark -> tags[0]++);
            marks.tags.put(digest.get(), tags[0]);
            Optional<FileStatus> content = files.stat(layout.content(repository, digest.get()));
            boolean young = content.isPresent() && content.get().attributes().mtimeMillis() > newerThan;
            if (young || tags[0] > 0) {
                roots.add(digest.get());
            }
        });
        marks.reach(roots);
        return marks;
    }

    private static Manifest parsed(StoredManifest stored) throws IOException {
        try {
            return stored.parsed();
        } catch (OciException e) {
            throw new IOException("manifest %s cannot be read, so nothing is collected".formatted(stored.digest()), e);
        }
    }

    private void reach(Deque<Digest> roots) {
        Map<Digest, Set<Digest>> referrers = new HashMap<>();
        manifests.forEach((digest, manifest) -> manifest.subject()
                .ifPresent(subject -> referrers
                        .computeIfAbsent(subject, unused -> new HashSet<>())
                        .add(digest)));
        while (!roots.isEmpty()) {
            Digest digest = roots.remove();
            Manifest manifest = manifests.get(digest);
            if (manifest != null && reached.add(digest)) {
                blobs.addAll(manifest.blobs());
                // An index may name blobs, too.
                blobs.addAll(manifest.children());
                roots.addAll(manifest.children());
                roots.addAll(translations.getOrDefault(digest, Set.of()));
                roots.addAll(referrers.getOrDefault(digest, Set.of()));
            }
        }
    }

    /** Returns whether other manifests have this one, or one that it lists, as their subject. */
    boolean isReferredTo(Digest manifest) {
        Manifest known = manifests.get(manifest);
        return subjects.contains(manifest)
                || (known != null && known.children().stream().anyMatch(this::isReferredTo));
    }

    /** Returns the number of tags that name the manifest. */
    int tags(Digest manifest) {
        return tags.getOrDefault(manifest, 0);
    }

    Set<Digest> translations(Digest manifest) {
        return translations.getOrDefault(manifest, Set.of());
    }

    Set<Digest> manifests() {
        return manifests.keySet();
    }

    Optional<Manifest> manifest(Digest digest) {
        return Optional.ofNullable(manifests.get(digest));
    }

    boolean reaches(Digest manifest) {
        return reached.contains(manifest);
    }

    /** Returns whether a manifest that is reached names the blob. */
    boolean needs(Digest blob) {
        return blobs.contains(blob);
    }

    /** Returns whether any manifest names the blob, reached or not. */
    boolean names(Digest blob) {
        return named.contains(blob);
    }
}
