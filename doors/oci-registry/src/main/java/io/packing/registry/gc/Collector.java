// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.gc;

import io.packing.bdt.FileStatus;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.dedup.Rebuilder;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Manifest;
import io.packing.registry.store.Chains;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.StoredManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Removes objects that no tag reaches, while registries serve (RFC 0004). A candidate is moved to the trash first, so
 * that no push can begin to need it; then the collector looks again for references that began before. Confined to one
 * thread; several processes may collect at once.
 */
public final class Collector {
    private final RegistryFiles files;
    private final Layout layout;
    private final Rebuilder rebuilder;
    private final Manifests manifests;
    private final Tree tree;
    private final Trash trash;
    private final long olderThan;
    private final boolean dryRun;
    private final Optional<LayerForm> dropsFor;
    private final Chains chains;
    private final GcCounts counts = new GcCounts();

    /**
     * Makes a collection.
     *
     * @param ids gives unique names
     * @param millis the time, milliseconds since the epoch
     */
    public Collector(
            RegistryFiles files,
            Layout layout,
            Rebuilder rebuilder,
            Supplier<String> ids,
            LongSupplier millis,
            GcOptions rules) {
        this.files = files;
        this.layout = layout;
        this.rebuilder = rebuilder;
        this.manifests = new Manifests(files, layout, ids);
        this.tree = new Tree(files, layout);
        this.chains = new Chains(files, layout);
        this.trash = new Trash(files, layout, tree, ids.get());
        this.olderThan = millis.getAsLong() - rules.grace().toMillis();
        this.dryRun = rules.dryRun();
        this.dropsFor = rules.dropsFor();
    }

    /** Collects once. */
    public GcReport run() throws IOException {
        if (!dryRun) {
            trash.restoreAll();
        }
        List<String> repositories = new ArrayList<>();
        tree.repositories(repositories::add);
        Map<String, Set<Digest>> unlinked = new HashMap<>();
        for (String repository : repositories) {
            if (dropsFor.isPresent()) {
                dropOriginals(repository, dropsFor.get());
            }
            manifests(repository);
            unlinked.put(repository, links(repository));
            uploads(repository);
        }
        blobs(repositories, dryRun ? unlinked : Map.of());
        files();
        if (!dryRun) {
            chains.forget(this::isOld);
        }
        tree.each(layout.scratch("-").parent().orElseThrow(), entry -> {
            if (isOld(entry)) {
                counts.scratch++;
                delete(entry.path());
            }
        });
        return counts.report();
    }

    private boolean isOld(FileStatus entry) {
        return entry.attributes().mtimeMillis() <= olderThan;
    }

    private void delete(FilePath path) throws IOException {
        if (!dryRun) {
            VectorResult unused = files.apply(new VectorBuilder().delete(path).build());
        }
    }

    private RepositoryMarks marks(String repository) throws IOException {
        return RepositoryMarks.of(repository, files, layout, tree, manifests, olderThan);
    }

    /**
     * Makes tags name translations, so that originals become garbage. A reference to a manifest, such as a signature's,
     * means its bytes: such a manifest stays as it was pushed.
     */
    private void dropOriginals(String repository, LayerForm form) throws IOException {
        RepositoryMarks marks = marks(repository);
        for (Digest digest : marks.manifests()) {
            Optional<FileStatus> content = files.stat(layout.content(repository, digest));
            Optional<Digest> translation =
                    manifests.translated(repository, digest, form).map(StoredManifest::digest);
            boolean whole =
                    translation.isPresent() && marks.translations(digest).contains(translation.get());
            if (whole && content.isPresent() && isOld(content.get()) && !marks.isReferredTo(digest)) {
                counts.retagged += dryRun ? marks.tags(digest) : manifests.retag(repository, digest, translation.get());
            }
        }
    }

    private void manifests(String repository) throws IOException {
        RepositoryMarks marks = marks(repository);
        Map<Digest, Manifest> taken = new LinkedHashMap<>();
        for (Digest digest : marks.manifests()) {
            Optional<Manifest> manifest = marks.manifest(digest);
            if (!marks.reaches(digest) && manifest.isPresent()) {
                counts.manifests++;
                if (!dryRun && trash.take(layout.manifest(repository, digest))) {
                    taken.put(digest, manifest.get());
                }
            }
        }
        if (taken.isEmpty()) {
            return;
        }
        RepositoryMarks again = marks(repository);
        for (Map.Entry<Digest, Manifest> each : taken.entrySet()) {
            FilePath path = layout.manifest(repository, each.getKey());
            boolean tagged = !files.list(trash.place(path).child(Layout.MARKS), "", 1)
                    .orElse(List.of())
                    .isEmpty();
            if (tagged || again.names(each.getKey())) {
                trash.restore(path);
                counts.restored++;
            } else {
                Optional<Digest> subject = each.getValue().subject();
                if (subject.isPresent() && !again.manifests().contains(each.getKey())) {
                    delete(layout.referrer(repository, subject.get(), each.getKey()));
                }
                trash.purge(path);
            }
        }
    }

    /** Unlinks blobs of a repository; returns the unlinked ones. */
    private Set<Digest> links(String repository) throws IOException {
        RepositoryMarks marks = marks(repository);
        Set<Digest> taken = new HashSet<>();
        tree.below(layout.repository(repository).child(Layout.BLOBS), 2, entry -> {
            Optional<Digest> digest = Layout.digestOf(entry.path());
            boolean needed = digest.isEmpty() || (dryRun ? marks.needs(digest.get()) : marks.names(digest.get()));
            if (!needed && isOld(entry)) {
                counts.links++;
                if (dryRun || trash.take(entry.path())) {
                    taken.add(digest.get());
                }
            }
        });
        if (!dryRun && !taken.isEmpty()) {
            RepositoryMarks again = marks(repository);
            for (Digest digest : taken) {
                settle(layout.link(repository, digest), again.names(digest));
            }
        }
        return taken;
    }

    private void settle(FilePath path, boolean needed) throws IOException {
        if (needed) {
            trash.restore(path);
            counts.restored++;
        } else {
            trash.purge(path);
        }
    }

    private void uploads(String repository) throws IOException {
        tree.each(layout.upload(repository, "-").parent().orElseThrow(), session -> {
            boolean[] old = {isOld(session)};
            tree.each(session.path(), chunk -> old[0] &= isOld(chunk));
            if (old[0]) {
                counts.uploads++;
                delete(session.path());
            }
        });
    }

    private Set<Digest> linked(List<String> repositories, Map<String, Set<Digest>> without) throws IOException {
        Set<Digest> linked = new HashSet<>();
        for (String repository : repositories) {
            Set<Digest> left = without.getOrDefault(repository, Set.of());
            tree.below(
                    layout.repository(repository).child(Layout.BLOBS),
                    2,
                    entry -> Layout.digestOf(entry.path())
                            .filter(digest -> !left.contains(digest))
                            .ifPresent(linked::add));
        }
        return linked;
    }

    /**
     * Collects blobs that no repository has.
     *
     * @param unlinked for each repository, blobs that count as unlinked although they are not yet
     */
    private void blobs(List<String> repositories, Map<String, Set<Digest>> unlinked) throws IOException {
        Set<Digest> linked = linked(repositories, unlinked);
        Map<FilePath, Digest> taken = new LinkedHashMap<>();
        tree.below(layout.blobs(), 3, entry -> {
            Optional<Digest> digest = Layout.digestOfBlob(entry.path());
            if (digest.isPresent() && !linked.contains(digest.get()) && isOld(entry)) {
                counts.blobs++;
                counts.blobBytes += files.stat(layout.original(digest.get()))
                        .map(original -> original.attributes().length())
                        .orElse(0L);
                if (!dryRun && trash.take(entry.path())) {
                    taken.put(entry.path(), digest.get());
                }
            }
        });
        if (!taken.isEmpty()) {
            List<String> now = new ArrayList<>();
            tree.repositories(now::add);
            Set<Digest> again = linked(now, Map.of());
            for (Map.Entry<FilePath, Digest> each : taken.entrySet()) {
                settle(each.getKey(), again.contains(each.getValue()));
            }
        }
    }

    /** Contents that no recipe names. */
    private void files() throws IOException {
        Set<String> named = named();
        Set<String> taken = new HashSet<>();
        tree.below(layout.files(), 2, entry -> {
            String hex = entry.path().name();
            if (!named.contains(hex) && isOld(entry)) {
                counts.files++;
                counts.fileBytes += entry.attributes().length();
                if (!dryRun && trash.take(entry.path())) {
                    taken.add(hex);
                }
            }
        });
        if (!taken.isEmpty()) {
            Set<String> again = named();
            for (String hex : taken) {
                settle(layout.file(hex), again.contains(hex));
            }
        }
    }

    private Set<String> named() throws IOException {
        Set<String> named = new HashSet<>();
        tree.below(layout.blobs(), 3, blob -> {
            FilePath recipe = blob.path().child(Layout.RECIPE);
            if (files.stat(recipe).isPresent()) {
                named.addAll(rebuilder.contents(recipe));
            }
        });
        return named;
    }
}
