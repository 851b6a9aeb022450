// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.oci;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

/** JSON that clients and other registries send. Its size is limited by its readers, and how deep it is here. */
public final class Json {
    /** Levels of objects and arrays; manifests and configurations have some 6. */
    public static final int MOST_DEPTH = 64;

    /** Reads JSON of others. A value that is deeper, or that other text follows, is refused as if it were no JSON. */
    public static final ObjectMapper OF_OTHERS = new ObjectMapper(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MOST_DEPTH)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Json() {}
}
