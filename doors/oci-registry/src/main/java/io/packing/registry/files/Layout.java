package io.packing.registry.files;

import io.packing.blob.FilePath;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Names;
import io.packing.registry.oci.OciException;
import java.util.Optional;

/** Where the things of a registry are, as RFC 0004 has them. */
public final class Layout {
    public static final String ORIGINAL = "original";
    public static final String RECIPE = "recipe";
    public static final String EXAMINED = "examined";
    public static final String FORMS = "forms";
    public static final String TRANSLATED = "translated";
    public static final String ROOT = "root";
    /** In the directory of a manifest, a snapshot or a container: what containers of the image read when they start. */
    public static final String START = "start";

    /** In the directory of a snapshot or a container: the manifest of the image that it began with. */
    public static final String IMAGE = "image";

    public static final String TREELESS = "treeless";
    public static final String LAYER = "layer";
    public static final String LIMIT = "limit";
    public static final String BLOBS = "_blobs";
    public static final String MANIFESTS = "_manifests";
    public static final String TAGS = "_tags";
    public static final String REFERRERS = "_referrers";
    public static final String SNAPSHOTS = "_snapshots";
    public static final String UPLOADS = "_uploads";
    public static final String CONTENT = "content";
    public static final String MARKS = "tags";

    private final FilePath base;

    /** @param base the directory of the registry in the mount */
    public Layout(FilePath base) {
        this.base = base;
    }

    private FilePath below(String path) {
        return new FilePath(base.isRoot() ? "/" + path : base.value() + "/" + path);
    }

    private static FilePath byDigest(FilePath above, Digest digest) {
        return above.child(digest.algorithm().text()).child(digest.hex());
    }

    /** All blobs: of an algorithm, then of a prefix, then each. */
    public FilePath blobs() {
        return below("blobs");
    }

    /** The directory of a blob. */
    public FilePath blob(Digest digest) {
        return blobs().child(digest.algorithm().text())
                .child(digest.hex().substring(0, 2))
                .child(digest.hex());
    }

    /** Of a directory {@code blobs/ALG/HH/HEX}; empty: it is called otherwise. */
    public static Optional<Digest> digestOfBlob(FilePath blob) {
        return digest(blob.parent().flatMap(FilePath::parent), blob);
    }

    /** Of a directory {@code ALG/HEX} of a repository; empty: it is called otherwise. */
    public static Optional<Digest> digestOf(FilePath entry) {
        return digest(entry.parent(), entry);
    }

    private static Optional<Digest> digest(Optional<FilePath> algorithm, FilePath hex) {
        try {
            return Optional.of(Digest.parse(algorithm.map(FilePath::name).orElse("") + ":" + hex.name()));
        } catch (OciException e) {
            return Optional.empty();
        }
    }

    /** What a layer store has made of a blob that is a layer. */
    public FilePath layer(Digest digest) {
        return blob(digest).child(LAYER);
    }

    /** The mark of a blob of which no tree is made, since it is beyond a limit of layers. */
    public FilePath limit(Digest digest) {
        return blob(digest).child(LIMIT);
    }

    /** The merged tree of the layers of an image, once it was made. */
    public FilePath root(String repository, Digest manifest) {
        return manifest(repository, manifest).child(ROOT);
    }

    /** That a manifest has no such tree, and cannot have one. */
    public FilePath treeless(String repository, Digest manifest) {
        return manifest(repository, manifest).child(TREELESS);
    }

    /** What a container was when it was pushed under a tag, until that is an image of layers. */
    public FilePath snapshot(String repository, String tag) {
        return repository(repository).child(SNAPSHOTS).child(Names.tagKey(tag));
    }

    /** All containers. */
    public FilePath containers() {
        return below("containers");
    }

    /** A container: what its image was, and what it is now. */
    public FilePath container(String name) {
        return containers().child(name);
    }

    /** What layer stores show, by image. */
    public FilePath layers() {
        return below("layers");
    }

    public FilePath original(Digest digest) {
        return blob(digest).child(ORIGINAL);
    }

    public FilePath recipe(Digest digest) {
        return blob(digest).child(RECIPE);
    }

    /** What the dedup engine found out about a blob. */
    public FilePath examined(Digest digest) {
        return blob(digest).child(EXAMINED);
    }

    /** What other forms a layer has: below each form, an entry that says which blob that is, or why there is none. */
    public FilePath forms(Digest digest, String form) {
        return blob(digest).child(FORMS).child(form);
    }

    /** All shared contents: of a prefix, then each. */
    public FilePath files() {
        return below("files");
    }

    /** A shared content, by the SHA-256 of its bytes. */
    public FilePath file(String hex) {
        return files().child(hex.substring(0, 2)).child(hex);
    }

    public FilePath repositories() {
        return below("repositories");
    }

    public FilePath repository(String name) {
        return below("repositories/" + name);
    }

    /** That a repository has a blob. */
    public FilePath link(String repository, Digest digest) {
        return byDigest(repository(repository).child(BLOBS), digest);
    }

    /** All manifests of a repository: of an algorithm, then each. */
    public FilePath manifests(String repository) {
        return repository(repository).child(MANIFESTS);
    }

    /** The directory of a manifest. */
    public FilePath manifest(String repository, Digest digest) {
        return byDigest(manifests(repository), digest);
    }

    public FilePath content(String repository, Digest digest) {
        return manifest(repository, digest).child(CONTENT);
    }

    /** The tags that name a manifest. */
    public FilePath marks(String repository, Digest digest) {
        return manifest(repository, digest).child(MARKS);
    }

    /** That a tag names a manifest. */
    public FilePath mark(String repository, Digest digest, String tag) {
        return marks(repository, digest).child(Names.tagKey(tag));
    }

    /** A clone of the manifest that has an image's layers in another form. */
    public FilePath translated(String repository, Digest digest, String form) {
        return translations(repository, digest).child(form);
    }

    /** That an image has no other form. */
    public FilePath untranslated(String repository, Digest digest, String form) {
        return translations(repository, digest).child(form + "-kept");
    }

    /** The manifests that have an image's layers in other forms, by form. */
    public FilePath translations(String repository, Digest digest) {
        return manifest(repository, digest).child(TRANSLATED);
    }

    public FilePath tags(String repository) {
        return repository(repository).child(TAGS);
    }

    public FilePath tag(String repository, String tag) {
        return tags(repository).child(Names.tagKey(tag));
    }

    /** The manifests of which this one is the subject. */
    public FilePath referrers(String repository, Digest subject) {
        return byDigest(repository(repository).child(REFERRERS), subject);
    }

    public FilePath referrer(String repository, Digest subject, Digest referrer) {
        return referrers(repository, subject).child(referrer.toString());
    }

    /** The chunks of an upload. */
    public FilePath upload(String repository, String id) {
        return repository(repository).child(UPLOADS).child(id);
    }

    public FilePath scratch(String id) {
        return below("scratch").child(id);
    }

    /** Whose age says when somebody last looked for blobs that nobody has examined. */
    public FilePath sweep() {
        return below("sweep");
    }

    /** What servers of roots rehearse with, see {@code Rehearsal}: the directory of a registry that has no images. */
    public FilePath rehearsal() {
        return below("rehearsal");
    }

    public FilePath trash() {
        return below("trash");
    }
}
