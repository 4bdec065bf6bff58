UPDATE deliveries SET body = (
    SELECT body FROM notifications
        WHERE notifications.event_id = deliveries.event_id AND notifications.api_version = deliveries.api_version
) WHERE body = '' AND (event_id, api_version) IN (SELECT event_id, api_version FROM notifications);
DROP TABLE notifications;
