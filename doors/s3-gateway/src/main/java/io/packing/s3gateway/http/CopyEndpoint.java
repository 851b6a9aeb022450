// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.s3gateway.objects.ObjectCopier;
import io.packing.s3gateway.objects.UserMount;
import io.packing.s3gateway.protocol.HttpDate;
import io.packing.s3gateway.protocol.S3Code;
import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.UriText;
import io.packing.s3gateway.protocol.XmlText;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;

/** Copies of objects. */
public final class CopyEndpoint {
    private static final String REPLACE = "REPLACE";

    private final ObjectCopier copier;

    public CopyEndpoint(ObjectCopier copier) {
        this.copier = copier;
    }

    /** Finds the object that a request copies, if its conditions hold. */
    ObjectCopier.Source source(S3Exchange exchange, UserMount mount) throws IOException {
        String header = exchange.header("x-amz-copy-source").orElse("");
        int question = header.indexOf("?versionId=");
        if (question >= 0 && !header.endsWith("?versionId=null")) {
            throw new S3Exception(S3Code.NOT_IMPLEMENTED, "objects have no versions");
        }
        String path = UriText.decodePath(question < 0 ? header : header.substring(0, question));
        String bare = path.startsWith("/") ? path.substring(1) : path;
        int slash = bare.indexOf('/');
        if (slash <= 0 || slash == bare.length() - 1) {
            throw S3Exception.argument("the source of a copy is '%.100s', want BUCKET/KEY".formatted(header));
        }
        ObjectCopier.Source source = copier.find(mount, bare.substring(0, slash), bare.substring(slash + 1));
        Conditions.checkCopy(exchange, source.info());
        return source;
    }

    void copy(S3Exchange exchange, UserMount mount, String bucket, String key) throws IOException {
        GivenHeaders.refuseUnknown(exchange);
        Optional<SortedMap<String, String>> headers = isReplaced(exchange, "x-amz-metadata-directive")
                ? Optional.of(GivenHeaders.attributes(exchange).headers())
                : Optional.empty();
        Optional<String> tags = isReplaced(exchange, "x-amz-tagging-directive")
                ? Optional.of(GivenHeaders.attributes(exchange).tags())
                : Optional.empty();
        ObjectCopier.Copied copied =
                copier.copy(mount, source(exchange, mount), bucket, key, headers, tags, Conditions.ofWrite(exchange));
        exchange.send(result("CopyObjectResult", copied.etag(), copied.mtimeMillis()));
    }

    static XmlText result(String element, String etag, long mtimeMillis) {
        return new XmlText()
                .top(element)
                .add("LastModified", HttpDate.document(mtimeMillis))
                .add("ETag", "\"" + etag + "\"")
                .end(element);
    }

    private static boolean isReplaced(S3Exchange exchange, String directive) throws S3Exception {
        String word = exchange.header(directive).orElse("COPY");
        if (!word.equals(REPLACE) && !word.equals("COPY")) {
            throw S3Exception.argument("%s is '%.20s', want COPY or REPLACE".formatted(directive, word));
        }
        return word.equals(REPLACE);
    }
}
