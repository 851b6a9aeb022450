// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import io.packing.blob.FilePath;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.NameRules;
import io.packing.registry.oci.OciException;
import java.util.Optional;

/**
 * The paths of a registry, below the path of the store's URI. {@code ALG} is {@code sha256} or {@code sha512}, {@code HEX} a
 * digest, {@code HH} its first two digits. {@code KEY} is a tag in lower case, {@code !}, and the tag, so that a directory
 * has the order in which the specification lists tags.
 *
 * <pre>
 * blobs/ALG/HH/HEX/original           a blob as it was pushed
 * blobs/ALG/HH/HEX/recipe             the way to rebuild it; then the original is gone
 * blobs/ALG/HH/HEX/examined/CASE      empty directory: the engine looked at the blob, with this result
 * blobs/ALG/HH/HEX/layer/             the blob as a tree of files
 * blobs/ALG/HH/HEX/limit/             empty directory: beyond a limit, so no tree is made
 * blobs/ALG/HH/HEX/forms/FORM/NOTE    empty directory: translated; BLOB+TAR (SHA-256 of both), or the reason against it
 * files/HH/HEX                        content of a file of layers, by its SHA-256
 * chains/HH/HEX/REPOSITORY/N.ALL!ALG:HEX
 *                                     empty directory: the lowest N of the ALL layers of this image have this chain id.
 *                                     REPOSITORY has {@code !} in place of {@code /}
 * layers/IMAGE/ALG:HEX/               clones of layers' trees, by the name of an image in base64
 * containers/NAME/                    a container of a server of roots
 * repositories/NAME/_blobs/ALG/HEX    empty directory: the repository has this blob
 * repositories/NAME/_manifests/ALG/HEX/
 *   content                           a line with digest and media type, then the manifest
 *   tags/KEY                          empty directory: this tag names the manifest
 *   root/                             the merged tree of the image's layers
 *   treeless/                         empty directory: no image, or a layer cannot be read
 *   chained/                          empty directory: the image is in {@code chains}
 *   metadata/FORM!HEX                 the metadata image of root, by its form and its SHA-256; FORM!none: there is none
 *   start/                            the reads of the image's first container, with their bytes
 *   translated/FORM                   a clone of the manifest with layers in this form; FORM-kept: there is none
 * repositories/NAME/_tags/KEY         a clone of the manifest that the tag names
 * repositories/NAME/_referrers/ALG/HEX/ALG:HEX
 *                                     a clone of a manifest whose subject is the first digest
 * repositories/NAME/_snapshots/KEY/   a pushed container until it is an image: base, root, image, and before, the
 *                                     manifest that the tag named then
 * repositories/NAME/_uploads/ID/OFFSET
 *                                     a chunk, by the offset of its first byte, 20 digits
 * rehearsal/                          files for rehearsals of servers of roots
 * scratch/ID                          a file on its way to its place
 * trash/ID                            an entry that garbage collection is about to remove
 * sweep                               empty file: its age says when a registry last began its hourly look
 * </pre>
 *
 * Parts of repository names never begin with {@code _}.
 */
public final class Layout {
    public static final String ORIGINAL = "original";
    public static final String RECIPE = "recipe";
    public static final String EXAMINED = "examined";
    public static final String FORMS = "forms";
    public static final String TRANSLATED = "translated";
    public static final String ROOT = "root";
    /** In the directory of a manifest, a snapshot or a container: the start pack of the image. */
    public static final String START = "start";

    /** In the directory of a snapshot or a container: the manifest of the image that it began with. */
    public static final String IMAGE = "image";

    public static final String TREELESS = "treeless";
    public static final String CHAINED = "chained";
    public static final String METADATA = "metadata";
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

    /** Returns the directory of all blobs: of an algorithm, then of a prefix, then each. */
    public FilePath blobs() {
        return below("blobs");
    }

    /** Returns the directory of a blob. */
    public FilePath blob(Digest digest) {
        return blobs().child(digest.algorithm().text())
                .child(digest.hex().substring(0, 2))
                .child(digest.hex());
    }

    /** Returns the digest of a directory {@code blobs/ALG/HH/HEX}; empty: it is called otherwise. */
    public static Optional<Digest> digestOfBlob(FilePath blob) {
        return digest(blob.parent().flatMap(FilePath::parent), blob);
    }

    /** Returns the digest of a directory {@code ALG/HEX} of a repository; empty: it is called otherwise. */
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

    /** Returns the directory in which a layer store unpacks a layer. */
    public FilePath layer(Digest digest) {
        return blob(digest).child(LAYER);
    }

    /** Returns the mark of a blob that has no tree, since it is beyond a limit of layers. */
    public FilePath limit(Digest digest) {
        return blob(digest).child(LIMIT);
    }

    /** Returns the merged tree of the layers of an image, once it was made. */
    public FilePath root(String repository, Digest manifest) {
        return manifest(repository, manifest).child(ROOT);
    }

    /** Returns the mark of a manifest that has no such tree, and cannot have one. */
    public FilePath treeless(String repository, Digest manifest) {
        return manifest(repository, manifest).child(TREELESS);
    }

    /** Returns the mark of a manifest whose image is noted under the chain ids of its layers. */
    public FilePath chained(String repository, Digest manifest) {
        return manifest(repository, manifest).child(CHAINED);
    }

    /** Returns the directory of the metadata images of an image's merged tree, by form. */
    public FilePath metadata(String repository, Digest manifest) {
        return manifest(repository, manifest).child(METADATA);
    }

    /** Returns the directory of all chain ids: of a prefix, then each. */
    public FilePath chains() {
        return below("chains");
    }

    /** Returns the directory of a chain id; in it are those of repositories. */
    public FilePath chain(Digest chain) {
        return chains().child(chain.hex().substring(0, 2)).child(chain.hex());
    }

    /** Returns the snapshot of a container that was pushed under a tag, until it is an image of layers. */
    public FilePath snapshot(String repository, String tag) {
        return repository(repository).child(SNAPSHOTS).child(NameRules.tagKey(tag));
    }

    /** Returns the directory of all containers. */
    public FilePath containers() {
        return below("containers");
    }

    /** Returns the directory of a container: its image's tree, and its own. */
    public FilePath container(String name) {
        return containers().child(name);
    }

    /** Returns the directory that layer stores show, by image. */
    public FilePath layers() {
        return below("layers");
    }

    public FilePath original(Digest digest) {
        return blob(digest).child(ORIGINAL);
    }

    public FilePath recipe(Digest digest) {
        return blob(digest).child(RECIPE);
    }

    /** Returns the directory of the dedup engine's finding on a blob. */
    public FilePath examined(Digest digest) {
        return blob(digest).child(EXAMINED);
    }

    /**
     * Returns the directory of a form of a layer: its entry names the blob in this form, or the reason why there is
     * none.
     */
    public FilePath forms(Digest digest, String form) {
        return blob(digest).child(FORMS).child(form);
    }

    /** Returns the directory of all shared contents: of a prefix, then each. */
    public FilePath files() {
        return below("files");
    }

    /** Returns the path of a shared content, by the SHA-256 of its bytes. */
    public FilePath file(String hex) {
        return files().child(hex.substring(0, 2)).child(hex);
    }

    public FilePath repositories() {
        return below("repositories");
    }

    public FilePath repository(String name) {
        return below("repositories/" + name);
    }

    /** Returns the mark that a repository has a blob. */
    public FilePath link(String repository, Digest digest) {
        return byDigest(repository(repository).child(BLOBS), digest);
    }

    /** Returns the directory of all manifests of a repository: of an algorithm, then each. */
    public FilePath manifests(String repository) {
        return repository(repository).child(MANIFESTS);
    }

    /** Returns the directory of a manifest. */
    public FilePath manifest(String repository, Digest digest) {
        return byDigest(manifests(repository), digest);
    }

    public FilePath content(String repository, Digest digest) {
        return manifest(repository, digest).child(CONTENT);
    }

    /** Returns the directory of the tags that name a manifest. */
    public FilePath marks(String repository, Digest digest) {
        return manifest(repository, digest).child(MARKS);
    }

    /** Returns the mark that a tag names a manifest. */
    public FilePath mark(String repository, Digest digest, String tag) {
        return marks(repository, digest).child(NameRules.tagKey(tag));
    }

    /** Returns the path of a clone of the manifest that has an image's layers in another form. */
    public FilePath translated(String repository, Digest digest, String form) {
        return translations(repository, digest).child(form);
    }

    /** Returns the mark that an image has no other form. */
    public FilePath untranslated(String repository, Digest digest, String form) {
        return translations(repository, digest).child(form + "-kept");
    }

    /** Returns the directory of the manifests that have an image's layers in other forms, by form. */
    public FilePath translations(String repository, Digest digest) {
        return manifest(repository, digest).child(TRANSLATED);
    }

    public FilePath tags(String repository) {
        return repository(repository).child(TAGS);
    }

    public FilePath tag(String repository, String tag) {
        return tags(repository).child(NameRules.tagKey(tag));
    }

    /** Returns the directory of the manifests of which this one is the subject. */
    public FilePath referrers(String repository, Digest subject) {
        return byDigest(repository(repository).child(REFERRERS), subject);
    }

    public FilePath referrer(String repository, Digest subject, Digest referrer) {
        return referrers(repository, subject).child(referrer.toString());
    }

    /** Returns the directory of an upload's chunks. */
    public FilePath upload(String repository, String id) {
        return repository(repository).child(UPLOADS).child(id);
    }

    public FilePath scratch(String id) {
        return below("scratch").child(id);
    }

    /** Returns the file whose age says when a registry last looked for unexamined blobs. */
    public FilePath sweep() {
        return below("sweep");
    }

    /** Returns the directory in which servers of roots rehearse, see {@code Rehearsal}: a registry without images. */
    public FilePath rehearsal() {
        return below("rehearsal");
    }

    public FilePath trash() {
        return below("trash");
    }
}
