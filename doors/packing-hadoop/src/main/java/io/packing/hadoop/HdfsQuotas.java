// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaExceededException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;

/** The exceptions of HDFS for quotas. Apart, since HDFS's client need not be on the class path. */
final class HdfsQuotas {
    private HdfsQuotas() {}

    static IOException of(QuotaExceededException exceeded) {
        String message = String.valueOf(exceeded.getMessage());
        return exceeded.reason() == Outcome.NAMES_QUOTA
                ? new NSQuotaExceededException(message)
                : new DSQuotaExceededException(message);
    }
}
