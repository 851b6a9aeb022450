/** What a daemon tells its operators over HTTP. */
@NullMarked
package io.packing.status;

import org.jspecify.annotations.NullMarked;
