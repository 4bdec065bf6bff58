DROP TABLE usage_documents;
