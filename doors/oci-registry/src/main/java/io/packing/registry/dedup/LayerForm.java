// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;

/** A form of layers in which equal files are equal bytes, so that each is stored once. */
public enum LayerForm {
    /** The tar itself. Every client reads it. */
    TAR("application/vnd.oci.image.layer.v1.tar") {
        @Override
        InputStream tar(InputStream blob) {
            return blob;
        }
    },
    /** The tar, compressed by zstd, each file in frames of its own. */
    ZSTD("application/vnd.oci.image.layer.v1.tar+zstd") {
        @Override
        InputStream tar(InputStream blob) throws IOException {
            return new ZstdInputStream(blob);
        }
    };

    private final String mediaType;

    LayerForm(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Returns the media type of such a layer, in OCI's words. */
    public String mediaType() {
        return mediaType;
    }

    /** As in options, paths and metrics. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the form with a text. */
    public static Optional<LayerForm> of(String text) {
        for (LayerForm each : values()) {
            if (each.text().equals(text)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Returns the tar stream in a blob of this form. */
    abstract InputStream tar(InputStream blob) throws IOException;
}
