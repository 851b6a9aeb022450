// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Manifest;
import io.packing.registry.oci.NameRules;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import io.packing.worker.api.PackingOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The manifests of repositories and the tags that name them. A push or a deletion is one vector. Thread-safe. */
public final class Manifests {
    private static final int ATTEMPTS = 32;
    private static final int PAGE = 1_000;

    private final RegistryFiles files;
    private final Layout layout;
    private final Supplier<String> ids;

    /** @param ids gives unique names */
    public Manifests(RegistryFiles files, Layout layout, Supplier<String> ids) {
        this.files = files;
        this.layout = layout;
        this.ids = ids;
    }

    /** Returns the manifest of a digest. */
    public Optional<StoredManifest> byDigest(String repository, Digest digest) throws IOException {
        return read(layout.content(repository, digest));
    }

    /** Returns the manifest that a tag names. */
    public Optional<StoredManifest> byTag(String repository, String tag) throws IOException {
        return read(layout.tag(repository, tag));
    }

    /** Returns the manifest that has the layers of another one in another form. */
    public Optional<StoredManifest> translated(String repository, Digest digest, LayerForm form) throws IOException {
        return read(layout.translated(repository, digest, form.text()));
    }

    /** Returns whether a registry has tried to translate a manifest, with or without success. */
    public boolean isTranslationKnown(String repository, Digest digest, LayerForm form) throws IOException {
        return files.stat(layout.translated(repository, digest, form.text())).isPresent()
                || files.stat(layout.untranslated(repository, digest, form.text()))
                        .isPresent();
    }

    /** Returns whether a tag names the manifest. */
    public boolean isTagged(String repository, Digest digest) throws IOException {
        return !files.list(layout.marks(repository, digest), "", 1)
                .orElse(List.of())
                .isEmpty();
    }

    /** Notes that a manifest has no translation. */
    public void keep(String repository, Digest digest, LayerForm form) throws IOException {
        VectorResult unused = files.apply(new VectorBuilder()
                .present(layout.content(repository, digest))
                .directory(layout.untranslated(repository, digest, form.text()))
                .build());
    }

    /** Makes a stored manifest the translation of another one; false when either is gone. */
    public boolean translate(String repository, Digest digest, LayerForm form, Digest translation) throws IOException {
        VectorBuilder vector = new VectorBuilder()
                .present(layout.content(repository, digest))
                .directory(layout.translations(repository, digest))
                .cloneFile(layout.content(repository, translation), layout.translated(repository, digest, form.text()));
        return files.apply(vector.build()) instanceof VectorResult.Applied;
    }

    /** Returns the manifest in a file; empty when the file is missing. */
    Optional<StoredManifest> read(FilePath path) throws IOException {
        // Once more: a file that is replaced while it is read may fail as if it were deleted.
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                return Optional.of(StoredManifest.decode(FileBytes.all(files.open(path), StoredManifest.MAX_FILE)));
            } catch (FileNotFoundException e) {
                if (files.stat(path).isEmpty()) {
                    return Optional.empty();
                }
            }
        }
        throw new IOException("%s is replaced faster than it can be read; try again".formatted(path));
    }

    /**
     * Stores a manifest, and makes a tag name it.
     *
     * @param manifest its parsed form
     * @param tag empty: no tag names it
     * @throws OciException {@link OciCode#MANIFEST_BLOB_UNKNOWN} when the repository lacks a blob or manifest that it
     *     names
     */
    public void put(String repository, StoredManifest stored, Manifest manifest, Optional<String> tag)
            throws IOException, OciException {
        FilePath scratch = layout.scratch(ids.get());
        try (PackingOutput out = files.create(scratch)) {
            out.write(stored.head());
            out.write(stored.bytes());
        }
        boolean placed = false;
        try {
            for (int attempt = 0; attempt < ATTEMPTS && !placed; attempt++) {
                placed = place(repository, stored, manifest, tag, scratch);
            }
        } finally {
            if (!placed) {
                VectorResult unused =
                        files.apply(new VectorBuilder().delete(scratch).build());
            }
        }
        if (!placed) {
            throw new IOException("the tag is changed by others faster than it can be set; try again");
        }
    }

    private boolean place(
            String repository, StoredManifest stored, Manifest manifest, Optional<String> tag, FilePath scratch)
            throws IOException, OciException {
        Digest digest = stored.digest();
        VectorBuilder vector = new VectorBuilder();
        List<FilePath> needed = needed(repository, manifest);
        needed.forEach(vector::present);
        FilePath content = layout.content(repository, digest);
        vector.directory(layout.marks(repository, digest)).rename(scratch, content, true);
        if (tag.isPresent()) {
            name(repository, digest, tag.get(), tagged(repository, tag.get()), vector);
        }
        if (manifest.subject().isPresent()) {
            Digest subject = manifest.subject().get();
            vector.directory(layout.referrers(repository, subject))
                    .cloneFile(content, layout.referrer(repository, subject, digest));
        }
        if (files.apply(vector.build()) instanceof VectorResult.Refused refused) {
            if (refused.kind() == VectorResult.Kind.OPERATION && refused.index() < needed.size()) {
                throw new OciException(
                        OciCode.MANIFEST_BLOB_UNKNOWN,
                        "the manifest names %s, which the repository does not have; push that first"
                                .formatted(all(manifest).get(refused.index())));
            }
            if (refused.kind() == VectorResult.Kind.OPERATION && refused.reason() != Outcome.NOT_FOUND) {
                throw new IOException("the manifest cannot be put in its place: " + refused.reason());
            }
            return false;
        }
        return true;
    }

    private static List<Digest> all(Manifest manifest) {
        Set<Digest> all = new LinkedHashSet<>(manifest.blobs());
        all.addAll(manifest.children());
        return List.copyOf(all);
    }

    /**
     * Returns the paths that a manifest needs: an index usually names manifests, but build caches name layers there.
     */
    private List<FilePath> needed(String repository, Manifest manifest) throws IOException {
        Set<Digest> children = Set.copyOf(manifest.children());
        List<FilePath> needed = new ArrayList<>();
        for (Digest digest : all(manifest)) {
            FilePath content = layout.content(repository, digest);
            boolean child = children.contains(digest) && files.stat(content).isPresent();
            needed.add(child ? content : layout.link(repository, digest));
        }
        return needed;
    }

    /** A tag's file and the manifest in it. */
    private record Tagged(Optional<FileStatus> file, Optional<StoredManifest> manifest) {
        boolean names(Digest digest) {
            return manifest.isPresent() && manifest.get().digest().equals(digest);
        }
    }

    private Tagged tagged(String repository, String tag) throws IOException {
        FilePath path = layout.tag(repository, tag);
        Optional<FileStatus> file = files.stat(path);
        return new Tagged(file, file.isPresent() ? read(path) : Optional.empty());
    }

    /** Makes a tag name a manifest that is in its place, if no other request changes the tag meanwhile. */
    private void name(String repository, Digest digest, String tag, Tagged before, VectorBuilder vector) {
        FilePath path = layout.tag(repository, tag);
        vector.unchanged(path, before.file());
        if (before.manifest().isPresent() && !before.names(digest)) {
            vector.delete(layout.mark(repository, before.manifest().get().digest(), tag));
        }
        vector.directory(layout.tags(repository))
                .cloneFile(layout.content(repository, digest), path)
                .directory(layout.mark(repository, digest, tag));
    }

    /** Deletes a tag, and not the manifest; returns false when the tag is missing. */
    public boolean deleteTag(String repository, String tag) throws IOException {
        FilePath path = layout.tag(repository, tag);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Tagged before = tagged(repository, tag);
            if (before.file().isEmpty() || before.manifest().isEmpty()) {
                return false;
            }
            VectorBuilder vector = new VectorBuilder()
                    .unchanged(before.file().get())
                    .delete(path)
                    .delete(layout.mark(repository, before.manifest().get().digest(), tag));
            if (files.apply(vector.build()) instanceof VectorResult.Applied) {
                return true;
            }
        }
        throw new IOException("the tag is changed by others faster than it can be deleted; try again");
    }

    /**
     * Deletes a manifest and the tags that name it; returns false when it is missing. A manifest and its translations
     * are one image: a client that asked a tag for its digest may have got either.
     */
    public boolean delete(String repository, Digest digest) throws IOException, OciException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<StoredManifest> stored = byDigest(repository, digest);
            if (stored.isEmpty()) {
                return false;
            }
            VectorBuilder vector = new VectorBuilder();
            boolean there = true;
            for (Digest form : forms(repository, stored.get())) {
                there &= delete(repository, form, vector);
            }
            if (there && files.apply(vector.build()) instanceof VectorResult.Applied) {
                return true;
            }
        }
        throw new IOException("the manifest is changed by others faster than it can be deleted; try again");
    }

    /** Returns a manifest, the one that it translates, and the translations of both that no tag names by itself. */
    private Set<Digest> forms(String repository, StoredManifest stored) throws IOException {
        Set<Digest> forms = new LinkedHashSet<>(Set.of(stored.digest()));
        addUntagged(repository, translations(repository, stored.digest()), forms);
        Optional<Digest> source = stored.translationOf();
        if (source.isPresent()) {
            Set<Digest> siblings = translations(repository, source.get());
            if (siblings.contains(stored.digest())) {
                addUntagged(repository, siblings, forms);
                forms.add(source.get());
            }
        }
        return forms;
    }

    private void addUntagged(String repository, Set<Digest> manifests, Set<Digest> to) throws IOException {
        for (Digest manifest : manifests) {
            if (!isTagged(repository, manifest)) {
                to.add(manifest);
            }
        }
    }

    /** Returns the present translations of a manifest. */
    public Set<Digest> translations(String repository, Digest digest) throws IOException {
        Set<Digest> translations = new LinkedHashSet<>();
        for (LayerForm form : LayerForm.values()) {
            Optional<StoredManifest> translation = translated(repository, digest, form);
            if (translation.isPresent()
                    && byDigest(repository, translation.get().digest()).isPresent()) {
                translations.add(translation.get().digest());
            }
        }
        return translations;
    }

    /** Adds the deletion of one manifest to a vector; false when it is gone. */
    private boolean delete(String repository, Digest digest, VectorBuilder vector) throws IOException, OciException {
        FilePath content = layout.content(repository, digest);
        Optional<FileStatus> before = files.stat(content);
        Optional<StoredManifest> stored = before.isPresent() ? read(content) : Optional.empty();
        if (before.isEmpty() || stored.isEmpty()) {
            return false;
        }
        // A request that makes another tag name the manifest writes it again, so these are all tags as long as it is
        // unchanged.
        vector.unchanged(before.get());
        for (String tag : tagsOf(repository, digest)) {
            vector.delete(layout.tag(repository, tag));
        }
        Optional<Digest> subject = stored.get().parsed().subject();
        if (subject.isPresent()) {
            vector.delete(layout.referrer(repository, subject.get(), digest));
        }
        vector.delete(layout.manifest(repository, digest));
        return true;
    }

    /**
     * Makes the tags of a manifest name its translation, so that the manifest itself can be garbage.
     *
     * @return how many tags
     */
    public int retag(String repository, Digest digest, Digest translation) throws IOException {
        int moved = 0;
        for (String tag : tagsOf(repository, digest)) {
            Tagged before = tagged(repository, tag);
            VectorBuilder vector = new VectorBuilder();
            name(repository, translation, tag, before, vector);
            // The vector is refused when a client pushes the tag meanwhile: then the tag is the client's.
            if (before.names(digest) && files.apply(vector.build()) instanceof VectorResult.Applied) {
                moved++;
            }
        }
        return moved;
    }

    private List<String> tagsOf(String repository, Digest digest) throws IOException {
        List<String> tags = new ArrayList<>();
        String after = "";
        for (boolean more = true; more; ) {
            List<FileStatus> page =
                    files.list(layout.marks(repository, digest), after, PAGE).orElse(List.of());
            page.forEach(mark -> tags.add(NameRules.tagOf(mark.path().name())));
            more = page.size() == PAGE;
            after = page.isEmpty() ? "" : page.get(page.size() - 1).path().name();
        }
        return tags;
    }

    /**
     * Returns a page of a repository's tags, in the specification's order.
     *
     * @param last the last tag of the page before; empty: the first page
     * @return empty when the repository is missing
     */
    public Optional<List<String>> tags(String repository, String last, int limit) throws IOException {
        Optional<List<FileStatus>> page =
                files.list(layout.tags(repository), last.isEmpty() ? "" : NameRules.tagKey(last), limit);
        if (page.isEmpty()) {
            return files.stat(layout.repository(repository)).isPresent() ? Optional.of(List.of()) : Optional.empty();
        }
        return Optional.of(page.get().stream()
                .map(tag -> NameRules.tagOf(tag.path().name()))
                .toList());
    }

    /**
     * Returns a page of the manifests whose subject is the digest.
     *
     * @param last the last digest of the page before; empty: the first page
     */
    public List<StoredManifest> referrers(String repository, Digest subject, String last, int limit)
            throws IOException {
        List<StoredManifest> found = new ArrayList<>();
        for (FileStatus entry :
                files.list(layout.referrers(repository, subject), last, limit).orElse(List.of())) {
            read(entry.path()).ifPresent(found::add);
        }
        return found;
    }
}
