// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.s3gateway.protocol.S3Exception;
import java.io.IOException;
import java.util.List;

/** Changes of the tags of objects, whose bytes and ETags stay. */
public final class ObjectTags {
    private ObjectTags() {}

    /** Gives the version that was found its tags; empty: none. */
    public static void set(UserMount mount, String key, LocatedFile file, String tags) throws IOException {
        Operation set = new Operation.SetAttributes(
                file.status().path(), AttributeChange.ofExtended(ObjectAttributes.tagged(tags)));
        Precondition same =
                new Precondition.SameVersion(file.status().path(), file.status().version());
        if (mount.bdt().apply(new OperationVector(List.of(same), List.of(set))) instanceof VectorResult.Refused) {
            throw S3Exception.noSuchKey(key);
        }
    }
}
